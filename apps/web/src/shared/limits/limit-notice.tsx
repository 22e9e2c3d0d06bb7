import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import { type ReactNode, useLayoutEffect } from 'react';
import { Link } from 'react-router-dom';
import { limitsQuery } from '#shared/api/limits.api.ts';
import { dropDecimals, exceeds, formatAmount, toMinor } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';

const MESSAGES = i18n('limit-notice', {
  title: 'This is above your limit',
  perTransaction: params('You can send at most {limit} at once.'),
  day: params('You can still send {left} today.'),
  month: params('You can still send {left} this month.'),
  verify: 'Verify for higher limits',
  instead: params('Use {amount} instead'),
  change: 'Change amount',
});

type Limits = OwnLimits['limits'][number];

/** The form, which can enter another amount in its field, or the confirmation, which can only lead back to the form. */
type Place = { fieldId: string; enter: (digits: string) => void } | { back: () => void };

interface LimitNoticeProps {
  /** In whole units. */
  amount: string;
  currency: string;
  place: Place;
  /** Must be the same function in every render. */
  onAbove: (isAbove: boolean) => void;
}

/**
 * Says before the PIN is entered that an amount exceeds a limit. The server decides, so the step's own button stays,
 * but `onAbove` lets it be less prominent than the notice's.
 */
export function LimitNotice({ amount, currency, place, onAbove }: LimitNoticeProps): ReactNode {
  const t = useStore(MESSAGES);
  const { data } = useQuery(limitsQuery());
  const limits = data?.limits.find((each) => each.currency === currency);
  const room = limits && tightestOf(limits);
  const isAbove = room !== undefined && exceeds(amount, room.left);
  // Before the notice is painted, so that both change at once.
  useLayoutEffect(() => {
    onAbove(isAbove);
    return () => onAbove(false);
  }, [isAbove, onAbove]);
  if (!data || !room || !isAbove) return null;
  const { name, left } = room;
  const most = formatAmount(left, currency);
  return (
    <Notice tone="warn" role="status" title={t.title}>
      <p>{name === 'perTransaction' ? t.perTransaction({ limit: most }) : t[name]({ left: most })}</p>
      <WayOut place={place} tier={data.tier} left={left} currency={currency} />
    </Notice>
  );
}

interface WayOutProps {
  place: Place;
  tier: OwnLimits['tier'];
  left: string;
  currency: string;
}

/** Back to the amount; or the most that the limits allow, and for an account that is not verified what may raise them. */
function WayOut({ place, tier, left, currency }: WayOutProps): ReactNode {
  const t = useStore(MESSAGES);
  if ('back' in place) {
    return (
      <Button size="small" className="mt-2" onClick={place.back}>
        {t.change}
      </Button>
    );
  }
  const digits = dropDecimals(left);
  const isUsedUp = digits === '0';
  const isUnverified = tier === 'unverified';
  if (isUsedUp && !isUnverified) return null;
  const enter = (): void => {
    place.enter(digits);
    // The pressed button is gone.
    document.getElementById(place.fieldId)?.focus();
  };
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {isUsedUp ? null : (
        <Button size="small" onClick={enter}>
          {t.instead({ amount: formatAmount(digits, currency) })}
        </Button>
      )}
      {/* Not all can verify: some have just reset the PIN, or have a number of no served country. */}
      {isUnverified ? (
        <Link to={PATHS.security} className={buttonClass(isUsedUp ? 'primary' : 'quiet', '', 'small')}>
          {t.verify}
        </Link>
      ) : null}
    </div>
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
