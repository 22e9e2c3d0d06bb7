import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { WalletCurrency } from '@vuka/money/corridors';
import { useState } from 'react';
import { amountDigits, dropDecimals, formatAmount, groupDigits } from '#shared/format/money.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { CurrencyTag } from './currency-tag.tsx';
import { FieldError } from './field-error.tsx';
import { GroupedInput } from './grouped-input.tsx';
import { InputWarning } from './input-warning.tsx';
import { Skeleton } from './skeleton.tsx';

const MESSAGES = i18n('amount-input', {
  whole: params('Whole amounts only: this reads {amount}'),
  available: 'Available balance',
  all: 'Use all',
});

interface AmountInputProps {
  id: string;
  /** The accessible name, if the label is not enough. */
  name?: string;
  digits: string;
  currency: WalletCurrency;
  error: string | undefined;
  onAmount: (digits: string) => void;
  onBlur?: () => void;
}

/**
 * A large, grouped input for an amount in whole units, with its error. It accepts only digits: if one or two digits
 * follow a point or comma it shows the resulting amount, and three are a group of thousands.
 */
export function AmountInput({ id, name, digits, currency, error, onAmount, onBlur }: AmountInputProps) {
  const t = useStore(MESSAGES);
  /** The digits before the last typed point or comma. */
  const [beforePoint, setBeforePoint] = useState<string>();
  const decimals = beforePoint && digits.startsWith(beforePoint) ? digits.length - beforePoint.length : 0;
  return (
    <>
      <div
        className={`mt-1 flex items-baseline gap-2 border-b-2 pb-1 has-focus-visible:border-primary ${error ? 'border-bad' : 'border-line'}`}
      >
        <GroupedInput
          id={id}
          name="amount"
          aria-label={name}
          digits={digits}
          format={groupDigits}
          readInserted={dropDecimals}
          placeholder="0"
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          className={`nums w-full min-w-0 bg-transparent text-amount font-bold tracking-amount outline-none ${error ? 'text-bad' : ''}`}
          onType={(typed) => {
            const next = amountDigits(typed);
            if (/\d[.,]$/.test(typed)) setBeforePoint(next);
            else if (next.length < digits.length) setBeforePoint(undefined);
            onAmount(next);
          }}
          onBlur={onBlur}
        />
        <CurrencyTag currency={currency} />
      </div>
      <FieldError id={`${id}-error`} text={error} />
      <InputWarning
        text={
          decimals === 1 || decimals === 2 ? t.whole({ amount: unbroken(formatAmount(digits, currency)) }) : undefined
        }
      />
    </>
  );
}

interface AvailableBalanceProps {
  /** A decimal string; undefined until it has loaded. */
  balance: string | undefined;
  currency: string;
  /** Fills in the largest amount that the balance can pay with its fee. */
  onUseAll: () => Promise<void>;
}

/** The line below an amount: what can be spent, and a button that spends it. */
export function AvailableBalance({ balance, currency, onUseAll }: AvailableBalanceProps) {
  const t = useStore(MESSAGES);
  const [isAsking, setIsAsking] = useState(false);
  const ask = (): void => {
    setIsAsking(true);
    void onUseAll().finally(() => setIsAsking(false));
  };
  return (
    <div className="nums flex min-h-8 flex-wrap items-center gap-x-2 text-small text-ink2">
      <span>{t.available}:</span>
      {balance ? (
        <>
          <span className="font-medium text-ink">{formatAmount(balance, currency)}</span>
          {balance.startsWith('0.') ? null : (
            <button
              type="button"
              className="-my-2.5 -mr-2 ml-auto inline-flex min-h-11 items-center rounded-chip px-2 font-semibold text-primary hover:bg-primary-soft disabled:opacity-50"
              disabled={isAsking}
              onClick={ask}
            >
              {t.all}
            </button>
          )}
        </>
      ) : (
        <Skeleton className="h-4 w-24" />
      )}
    </div>
  );
}
