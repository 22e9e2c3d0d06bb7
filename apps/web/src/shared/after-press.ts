let isPressed = false;

const notice = ({ type }: PointerEvent) => {
  isPressed = type === 'pointerdown';
};
Object.assign(globalThis, { onpointerdown: notice, onpointerup: notice, onpointercancel: notice });

/**
 * Runs at once, or, while a pointer is pressed, once it was released and its click was handled. An error that appears
 * while a button is pressed, because the press took the focus from a field, would push the button away, and the click
 * would hit nothing.
 */
export function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else act();
}
