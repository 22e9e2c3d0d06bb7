import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { FieldError } from '#shared/ui/field-error.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { PERIODS, type Period, periodOf } from './period.ts';

const MESSAGES = i18n('period-form', {
  period: 'Period',
  from: 'From',
  to: 'To',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last90Days: 'Last 90 days',
  thisYear: 'This year',
});

const ERROR_MESSAGES = i18n('period-error', {
  order: 'The first day must not be after the last',
  long: 'A statement covers 12 months at most',
  malformed: 'Please choose both days.',
});

interface PeriodFormProps {
  period: Period;
  /** Why the period has no statement, in the contract's words. */
  error: string | undefined;
  onChange: (period: Period) => void;
}

export function PeriodForm({ period, error, onChange }: PeriodFormProps) {
  const t = useStore(MESSAGES);
  return (
    <Card className="no-print p-4 sm:p-5">
      <fieldset>
        <legend className="sr-only">{t.period}</legend>
        <div className="mb-4 flex flex-wrap gap-2">
          {PERIODS.map((name) => {
            const named = periodOf(name);
            const isChosen = named.from === period.from && named.to === period.to;
            return (
              <button
                key={name}
                type="button"
                aria-pressed={isChosen}
                className="min-h-10 rounded-full bg-sunken px-4 text-small font-medium text-ink2 hover:text-ink aria-pressed:bg-primary aria-pressed:text-on-primary"
                onClick={() => onChange(named)}
              >
                {t[name]}
              </button>
            );
          })}
        </div>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            type="date"
            label={t.from}
            value={period.from}
            onChange={(from) => onChange({ ...period, from })}
          />
          <TextField type="date" label={t.to} value={period.to} onChange={(to) => onChange({ ...period, to })} />
        </div>
      </fieldset>
      <PeriodError error={error} />
    </Card>
  );
}

function PeriodError({ error }: { error: string | undefined }) {
  const t = useStore(ERROR_MESSAGES);
  const known =
    error && (error.startsWith('The first') ? t.order : error.startsWith('A statement') ? t.long : t.malformed);
  return <FieldError id="period-error" text={known} />;
}
