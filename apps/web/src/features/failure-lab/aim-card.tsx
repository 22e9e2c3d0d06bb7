import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { RATED } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { type ReactNode, type Ref, useState } from 'react';
import { afterPress } from '#shared/after-press.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';
import { TextField } from '#shared/ui/text-field.tsx';

const MESSAGES = i18n('admin/failure-aim', {
  title: 'What a failure affects',
  payouts: 'How many payouts',
  next: 'Next',
  nextTen: 'Next 10',
  untilOff: 'All',
  currency: 'Which currency',
  any: 'Any',
  phone: 'Only to this number',
  phoneHint: 'With country code, or empty for every number',
  phoneError: params('A number is like {example}'),
  kept: 'Failures that are already on keep the settings they were switched on with.',
});

const EXAMPLE = `${recipientPrefix(RATED.direction)}763456700`;
const PAYOUTS = { next: 1, nextTen: 10, untilOff: null } as const;
const CURRENCIES = ['any', ...WALLET_CURRENCIES] as const;

/** What a failure affects unless something else is chosen. */
export const NEXT_PAYOUT: SwitchOnFailure = { payouts: 1 };

interface AimCardProps {
  hasActive: boolean;
  /** Undefined while the typed text is not a phone number. */
  onAim: (aim: SwitchOnFailure | undefined) => void;
  fieldsRef: Ref<HTMLDivElement>;
}

/** Applies to every failure that is switched on afterwards: how many payouts, which currency, which number. */
export function AimCard({ hasActive, onAim, fieldsRef }: AimCardProps) {
  const t = useStore(MESSAGES);
  const [choice, setChoice] = useState({
    payouts: 'next' as keyof typeof PAYOUTS,
    currency: 'any' as (typeof CURRENCIES)[number],
    phone: '',
  });
  const [isLeft, setIsLeft] = useState(false);
  const read = ({ payouts, currency, phone }: typeof choice) =>
    SwitchOnFailure.safeParse({
      payouts: PAYOUTS[payouts],
      ...(currency === 'any' ? {} : { currency }),
      ...(phone === '' ? {} : { phone: phone.startsWith('+') ? phone : `+${phone}` }),
    });
  const change = (part: Partial<typeof choice>) => {
    const next = { ...choice, ...part };
    setChoice(next);
    const { success, data } = read(next);
    if (success) setIsLeft(false);
    onAim(data);
  };
  const isWrong = !read(choice).success;
  return (
    <Card title={t.title}>
      <div ref={fieldsRef} className="grid items-start gap-x-6 gap-y-4 px-4 pt-1 pb-4 sm:px-5 lg:grid-cols-3">
        <Labelled text={t.payouts}>
          <SegmentedChoice
            legend={t.payouts}
            name="failure-payouts"
            value={choice.payouts}
            choices={(['next', 'nextTen', 'untilOff'] as const).map((value) => ({ value, label: t[value] }))}
            onChange={(payouts) => change({ payouts })}
          />
        </Labelled>
        <Labelled text={t.currency}>
          <SegmentedChoice
            legend={t.currency}
            name="failure-currency"
            value={choice.currency}
            choices={CURRENCIES.map((value) => ({ value, label: value === 'any' ? t.any : value }))}
            onChange={(currency) => change({ currency })}
          />
        </Labelled>
        <TextField
          label={t.phone}
          type="tel"
          className="nums"
          autoComplete="off"
          placeholder={formatPhone(EXAMPLE)}
          hint={t.phoneHint}
          value={choice.phone}
          error={isWrong && isLeft ? t.phoneError({ example: EXAMPLE }) : undefined}
          onBlur={() => afterPress(() => setIsLeft(isWrong))}
          onChange={(typed) => change({ phone: typed.replace(/[^\d+]/g, '').slice(0, 13) })}
        />
      </div>
      {hasActive ? <p className="px-4 pb-4 text-caption text-ink3 sm:px-5">{t.kept}</p> : null}
    </Card>
  );
}

function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 text-small font-medium text-ink2">
        {text}
      </p>
      {children}
    </div>
  );
}
