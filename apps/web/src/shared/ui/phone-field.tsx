import { useStore } from '@nanostores/react';
import { COUNTRIES, type Country } from '@vuka/money/corridors';
import { prefixOf } from '@vuka/money/phones';
import type { ReactNode } from 'react';
import { groupPhone } from '#shared/format/phone.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { Field } from './field.tsx';
import { GroupedInput } from './grouped-input.tsx';

interface PhoneFieldProps {
  label: string;
  name: string;
  country: Country;
  /** The number without the country's code, which the box before the input shows. */
  digits: string;
  error: string | undefined;
  hint?: string;
  autoComplete: string;
  labelAside?: ReactNode;
  /** A button at the end of the input. */
  trailing?: ReactNode;
  onType: (typed: string) => void;
  onBlur?: () => void;
}

/** The local number of a phone in one country, grouped while it is typed. */
export function PhoneField(props: PhoneFieldProps) {
  const { label, name, country, digits, error, hint, autoComplete, labelAside, trailing, onType, onBlur } = props;
  const names = useStore(NAMES);
  return (
    <Field label={label} labelAside={labelAside} error={error} hint={hint}>
      {({ 'aria-describedby': described, ...attributes }) => (
        <div
          className={`flex min-h-12 rounded-control border bg-surface has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-primary ${error ? 'border-bad' : 'border-field'}`}
        >
          <span
            id={`${attributes.id}-prefix`}
            className="flex items-center rounded-l-control border-r border-line bg-sunken px-3.5 font-semibold text-ink2"
          >
            <span className="sr-only">{names[country]} </span>
            {prefixOf(country)}
          </span>
          <GroupedInput
            {...attributes}
            name={name}
            digits={digits}
            format={groupPhone}
            autoComplete={autoComplete}
            placeholder={groupPhone(COUNTRIES[country].example)}
            aria-describedby={`${attributes.id}-prefix ${described}`}
            className="w-full min-w-0 rounded-r-control bg-transparent px-4 outline-none"
            onType={onType}
            onBlur={onBlur}
          />
          {trailing}
        </div>
      )}
    </Field>
  );
}
