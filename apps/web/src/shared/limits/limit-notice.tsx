import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { exceeds, formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Notice } from '#shared/ui/notice.tsx';

const MESSAGES = i18n('limit-notice', {
  title: 'This is above your limit',
  perTransaction: params('You can send at most {limit} at once.'),
  day: params('You can still send {left} today.'),
  month: params('You can still send {left} this month.'),
  verify: 'Verify your phone number and email address under Security for higher limits.',
});

type Limits = OwnLimits['limits'][number];

/** Says before the PIN is entered that an amount, in whole units, exceeds a limit. The server decides. */
export function LimitNotice({ amount, currency }: { amount: string; currency: string }): ReactNode {
  const t = useStore(MESSAGES);
  const { data } = useQuery(limitsQuery());
  const limits = data?.limits.find((each) => each.currency === currency);
  const reason = limits && reasonOf(amount, limits, t);
  if (!reason) return null;
  return (
    <Notice tone="warn" role="status" title={t.title}>
      <p>
        {reason}{' '}
        {data?.tier === 'unverified' ? (
          <Link to={PATHS.security} className="font-semibold underline">
            {t.verify}
          </Link>
        ) : null}
      </p>
    </Notice>
  );
}

function reasonOf(amount: string, limits: Limits, t: ReturnType<typeof MESSAGES.get>): string | undefined {
  const { currency, perTransaction, day, month } = limits;
  if (exceeds(amount, month.left)) return t.month({ left: formatAmount(month.left, currency) });
  if (exceeds(amount, day.left)) return t.day({ left: formatAmount(day.left, currency) });
  if (exceeds(amount, perTransaction)) return t.perTransaction({ limit: formatAmount(perTransaction, currency) });
  return undefined;
}
