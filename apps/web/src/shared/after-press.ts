let isPressed = false;

const notice = ({ type }: PointerEvent) => {
  isPressed = type === 'pointerdown';
};
Object.assign(globalThis, { onpointerdown: notice, onpointerup: notice, onpointercancel: notice });

/**
 * Runs `act` at once, or, while a pointer is pressed, after its release and click. A press on a button takes the focus
 * from a field; if the field's error appeared at once, it would move the button, and the click would miss.
 */
export function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else act();
}
