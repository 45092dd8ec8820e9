// The list of keys.
import { useEffect, useRef, useState } from "preact/hooks";
import { keySets } from "../model/keys";
import { host } from "../model/page_host";
import { chooseTheme, themeChoice } from "../model/theme";
import { Choice } from "./choice";

const names: Readonly<Record<string, string>> = {
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "Enter",
  " ": "Space",
};

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-label="Keys"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <h1>Keys</h1>
      <dl>
        {[...keySets.value].reverse().flatMap((set) =>
          set.map(({ keys, what }) => (
            <>
              <dt>
                {keys.map((key) => (
                  <>
                    <kbd>{names[key] ?? key.toUpperCase()}</kbd>{" "}
                  </>
                ))}
              </dt>
              <dd>{what}</dd>
            </>
          )),
        )}
      </dl>
      <div class="help-theme">
        <span class="dim">Theme</span>
        <Choice
          label="Theme"
          value={themeChoice.value}
          onChoose={chooseTheme}
          options={[
            { value: "system", title: "System" },
            { value: "light", title: "Light" },
            { value: "dark", title: "Dark" },
          ]}
        />
      </div>
      <p class="dim">
        The address holds what you see.{" "}
        <button type="button" class="plain" onClick={() => void copyLink().then(setSaid)}>
          Copy the link
        </button>{" "}
        <span role="status">{said}</span>
      </p>
    </dialog>
  );
}

async function copyLink(): Promise<string> {
  const copied = await host.copyText(location.href);
  return copied.ok ? "Copied" : copied.sentence;
}
