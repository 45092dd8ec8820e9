// A few words of which one is chosen.
import "./choice.css";

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly title: string;
    readonly tip?: string;
    readonly isOff?: boolean;
  }[];
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.isOff}
          data-tip={option.tip}
          onClick={() => onChoose(option.value)}
        >
          {option.title}
        </button>
      ))}
    </div>
  );
}
