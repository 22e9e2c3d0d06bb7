interface SwitchProps {
  id: string;
  label: string;
  /** The id of an element that describes it. */
  describedBy?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A checkbox that takes effect at once, shown as a switch. Also needs a label for its id. */
export function Switch({ id, label, describedBy, isOn, onChange }: SwitchProps) {
  return (
    <input
      id={id}
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its own checked state.
      role="switch"
      aria-label={label}
      aria-describedby={describedBy}
      checked={isOn}
      className="relative h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full bg-field transition-[background-color,color,transform] before:absolute before:top-1 before:left-1 before:size-5 before:rounded-full before:bg-surface before:transition-transform checked:bg-primary checked:before:translate-x-5"
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
