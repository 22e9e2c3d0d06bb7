import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { corridorOf } from '@vuka/money/directions';
import type { ReactNode } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { amountInWords } from '#shared/format/amount-in-words.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n, language } from '#shared/i18n/i18n.ts';
import { InputWarning } from '#shared/ui/input-warning.tsx';
import type { TransferDraft } from './transfer-draft.ts';
import { isUnusual, usualAmount } from './usual-amount.ts';

const MESSAGES = i18n('amount-check', {
  unusual: params('This is more than 5 times what you usually send ({usual}).'),
});

const WORDS_FROM = 100_000n;

interface AmountCheckProps {
  draft: Pick<TransferDraft, 'amount' | 'direction'>;
}

/**
 * Two guards against an extra zero, while the amount is typed: the amount in words, and a warning if it is far above
 * the user's usual amount.
 */
export function AmountCheck({ draft: { amount: digits, direction } }: AmountCheckProps): ReactNode {
  const t = useStore(MESSAGES);
  const currency = corridorOf(direction).source;
  const current = useStore(language);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const usual = usualAmount(data ?? [], currency);
  const inWords = digits !== '' && BigInt(digits) >= WORDS_FROM ? amountInWords(digits, current) : '';
  return (
    <>
      {inWords ? <p className="mt-1.5 text-small text-ink2 first-letter:uppercase">{inWords}</p> : null}
      <InputWarning
        text={
          usual !== undefined && isUnusual(digits, usual)
            ? t.unusual({ usual: formatAmount(usual.toString(), currency) })
            : undefined
        }
      />
    </>
  );
}
