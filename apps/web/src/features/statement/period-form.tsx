import { useStore } from '@nanostores/react';
import { reason } from '@vuka/contracts/texts/reason';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { FieldError } from '#shared/ui/field-error.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { namedPeriods, type Period } from './period.ts';

const MESSAGES = i18n('period-form', {
  period: 'Period',
  from: 'From',
  to: 'To',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last90Days: 'Last 90 days',
  thisYear: 'This year',
  missing: 'Please choose both days.',
});

/** A date input is empty while its day is incomplete. */
const NOT_A_DAY = reason('day_invalid');

interface PeriodFormProps {
  period: Period;
  /** Why the period has no statement: the message of a rule. */
  error: string | undefined;
  onChange: (period: Period) => void;
}

export function PeriodForm({ period, error, onChange }: PeriodFormProps) {
  const t = useStore(MESSAGES);
  // Both days are wrong together: the error below them belongs to each.
  const judged = { type: 'date', 'aria-invalid': error !== undefined, 'aria-describedby': 'period-error' } as const;
  return (
    <Card className="no-print p-4 sm:p-5">
      <fieldset>
        <legend className="sr-only">{t.period}</legend>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <div className="flex flex-wrap gap-2 lg:pt-7">
            {namedPeriods().map(({ name, ...named }) => {
              const isChosen = named.from === period.from && named.to === period.to;
              return (
                <button
                  key={name}
                  type="button"
                  aria-pressed={isChosen}
                  className="min-h-11 rounded-full bg-surface px-3 text-small max-sm:px-2 font-medium text-ink2 ring-1 ring-line ring-inset hover:text-ink aria-pressed:bg-primary-soft aria-pressed:text-primary-ink aria-pressed:ring-primary"
                  onClick={() => onChange(named)}
                >
                  {t[name]}
                </button>
              );
            })}
          </div>
          <div className="grid grid-cols-2 gap-x-3">
            <TextField
              {...judged}
              label={t.from}
              value={period.from}
              onChange={(from) => onChange({ ...period, from })}
            />
            <TextField {...judged} label={t.to} value={period.to} onChange={(to) => onChange({ ...period, to })} />
            <div className="col-span-2">
              <FieldError id="period-error" text={error === NOT_A_DAY ? t.missing : error} />
            </div>
          </div>
        </div>
      </fieldset>
    </Card>
  );
}
