import type { ReactNode } from 'react';

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
}

interface SegmentedChoiceProps<Value extends string> {
  legend: string;
  name: string;
  choices: readonly Choice<Value>[];
  value: Value;
  isSmall?: boolean;
  onChange: (value: Value) => void;
}

/** A few options side by side: radio buttons that look like segments. */
export function SegmentedChoice<Value extends string>(props: SegmentedChoiceProps<Value>) {
  const { legend, name, choices, value: chosen, isSmall = false, onChange } = props;
  return (
    <fieldset>
      <legend className="sr-only">{legend}</legend>
      <div className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
        {choices.map(({ value, label, lang }) => (
          <label
            key={value}
            lang={lang}
            className={`flex flex-1 cursor-pointer items-center justify-center gap-2 rounded-chip font-semibold text-ink2 hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-1 has-focus-visible:outline-3 has-focus-visible:outline-primary ${isSmall ? 'min-h-9 px-3 text-caption' : 'min-h-11 px-2 text-small'}`}
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              className="sr-only"
              onChange={() => onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
