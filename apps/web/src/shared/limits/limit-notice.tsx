import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { dropDecimals, exceeds, formatAmount, toMinor } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';

const MESSAGES = i18n('limit-notice', {
  title: 'This is above your limit',
  perTransaction: params('You can send at most {limit} at once.'),
  day: params('You can still send {left} today.'),
  month: params('You can still send {left} this month.'),
  verify: 'Verify your phone number and email address under Security for higher limits.',
  instead: params('Use {amount} instead'),
});

type Limits = OwnLimits['limits'][number];

interface LimitNoticeProps {
  /** In whole units. */
  amount: string;
  currency: string;
  /** Where the amount can still be changed: its field, and what enters the largest amount within the limits. */
  instead?: { fieldId: string; enter: (digits: string) => void };
}

/** Says before the PIN is entered that an amount exceeds a limit. The server decides. */
export function LimitNotice({ amount, currency, instead }: LimitNoticeProps): ReactNode {
  const t = useStore(MESSAGES);
  const { data } = useQuery(limitsQuery());
  const limits = data?.limits.find((each) => each.currency === currency);
  if (!limits) return null;
  const { name, left } = tightestOf(limits);
  if (!exceeds(amount, left)) return null;
  const most = formatAmount(left, currency);
  const digits = dropDecimals(left);
  const enter = ({ fieldId, enter }: NonNullable<typeof instead>) => {
    enter(digits);
    // The pressed button is gone.
    document.getElementById(fieldId)?.focus();
  };
  return (
    <Notice tone="warn" role="status" title={t.title}>
      <p>{name === 'perTransaction' ? t.perTransaction({ limit: most }) : t[name]({ left: most })}</p>
      {instead && digits !== '0' ? (
        <Button variant="secondary" size="small" className="mt-2" onClick={() => enter(instead)}>
          {t.instead({ amount: formatAmount(digits, currency) })}
        </Button>
      ) : null}
      {data?.tier === 'unverified' ? (
        <p className="mt-2">
          <Link to={PATHS.security} className="underline underline-offset-2">
            {t.verify}
          </Link>
        </p>
      ) : null}
    </Notice>
  );
}

interface Room {
  name: 'month' | 'day' | 'perTransaction';
  left: string;
}

/** The limit that allows least; of equal ones that of the longest time. */
function tightestOf({ perTransaction, day, month }: Limits): Room {
  const others: Room[] = [
    { name: 'day', left: day.left },
    { name: 'perTransaction', left: perTransaction },
  ];
  return others.reduce((least, each) => (minor(each.left) < minor(least.left) ? each : least), {
    name: 'month',
    left: month.left,
  });
}

const minor = (amount: string): bigint => toMinor(amount) ?? 0n;
