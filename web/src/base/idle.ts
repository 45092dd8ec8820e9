// Whether the page is at rest: no request under way, nothing to be drawn, no animation. Tests wait for this instead
// of sleeping. Whoever begins something that ends later says so with busy().

let underWay = 0;
let begun = 0; // all that ever began; tells whether something happened between two looks

/** Says that something has begun; call what it gives once it has ended. Calling that again does nothing. */
export function begin(): () => void {
  underWay += 1;
  begun += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    underWay -= 1;
  };
}

export async function busy<T>(work: Promise<T>): Promise<T> {
  const end = begin();
  try {
    return await work;
  } finally {
    end();
  }
}

// A frame and what was put off until after it: renders and effects.
function nextTurn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

/** Resolves when three frames in a row have begun nothing new: an effect may ask, and its answer cause a render. */
export async function whenIdle(): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    const before = begun;
    await nextTurn();
    quiet = underWay === 0 && begun === before ? quiet + 1 : 0;
  }
}
