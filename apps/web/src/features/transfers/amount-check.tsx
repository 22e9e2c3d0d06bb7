import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { amountInWords } from '#shared/format/amount-in-words.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n, language } from '#shared/i18n/i18n.ts';
import { LimitNotice } from '#shared/limits/limit-notice.tsx';
import { isUnusual, usualAmount } from './usual-amount.ts';

const MESSAGES = i18n('amount-check', {
  unusual: params('This is more than 5 times what you usually send ({usual}).'),
});

const WORDS_FROM = 100_000n;

/**
 * Checks an amount while it is typed. Two guards against an extra zero: the amount in words, and a warning if it is far
 * above the user's usual amount. A notice if it exceeds a limit, before the user enters a recipient.
 */
export function AmountCheck({ digits, currency }: { digits: string; currency: string }): ReactNode {
  const t = useStore(MESSAGES);
  const current = useStore(language);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const usual = usualAmount(data ?? [], currency);
  const inWords = digits !== '' && BigInt(digits) >= WORDS_FROM ? amountInWords(digits, current) : '';
  return (
    <>
      {inWords ? <p className="mt-1.5 text-small text-ink2 first-letter:uppercase">{inWords}</p> : null}
      <p role="status" className="text-small">
        {usual !== undefined && isUnusual(digits, usual) ? (
          <span className="mt-1.5 flex items-start gap-1.5 rounded-chip bg-warn-soft px-2.5 py-1.5 text-warn-ink">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t.unusual({ usual: formatAmount(usual.toString(), currency) })}
          </span>
        ) : null}
      </p>
      {digits === '' ? null : <LimitNotice amount={digits} currency={currency} />}
    </>
  );
}
