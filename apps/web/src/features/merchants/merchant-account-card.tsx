import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { MerchantDetail } from '@vuka/contracts/http/merchants';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AccountStatus } from '#shared/admin/account-status.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDay, formatDayAndTime } from '#shared/format/date.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { useToggleBlock } from './use-toggle-block.ts';
import { useUnlock } from './use-unlock.ts';

const MESSAGES = i18n('admin/merchant-account', {
  title: 'Account',
  merchantId: 'Merchant ID',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  currency: 'Currency',
  registered: 'Registered',
  pin: 'PIN',
  wrongPins: params('{failed} of {max} wrong attempts'),
  lockedUntil: params('Locked until {time} after too many wrong attempts'),
  block: 'Block',
  unblock: 'Unblock',
  unlock: 'Unlock',
  credit: 'Credit',
  none: '–',
});

/** Who a merchant is, whether they can sign in, and the actions on their account. */
export function MerchantAccountCard({ merchant }: Pick<MerchantDetail, 'merchant'>) {
  const t = useStore(MESSAGES);
  const { failedPinAttempts: failed, maxPinAttempts: max, lockedUntil } = merchant;
  const facts = [
    [t.merchantId, merchant.merchantId || t.none],
    [t.email, merchant.email],
    [t.phone, formatPhone(merchant.phone)],
    [t.country, merchant.country],
    [t.currency, merchant.defaultCurrency],
    [t.registered, formatDay(merchant.createdAt)],
    [t.pin, lockedUntil ? t.lockedUntil({ time: formatDayAndTime(lockedUntil) }) : t.wrongPins({ failed, max })],
  ];
  return (
    <Card
      title={t.title}
      aside={
        <div className="text-right">
          <AccountStatus account={merchant} />
        </div>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 px-4 pt-2 pb-4 text-small sm:px-5">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink3">{label}</dt>
            <dd className="nums font-medium [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <Actions merchant={merchant} />
    </Card>
  );
}

function Actions({ merchant }: Pick<MerchantDetail, 'merchant'>) {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  const [isAsked, setIsAsked] = useState(false);
  const toggle = useToggleBlock();
  const unlock = useUnlock();
  const isBusy = toggle.isPending || unlock.isPending;
  const mayBlock = mayDo('merchants.block');
  if (!mayBlock && !mayDo('credits.make')) return null;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 sm:px-5">
      {merchant.merchantId && mayDo('credits.make') ? (
        <Link
          to={`${PATHS.creditMerchant}?merchant=${encodeURIComponent(merchant.merchantId)}`}
          className={buttonClass('secondary', '', 'small')}
        >
          {t.credit}
        </Link>
      ) : null}
      {mayBlock && (merchant.lockedUntil || merchant.failedPinAttempts > 0) ? (
        <Button variant="secondary" size="small" isBusy={isBusy} onClick={() => unlock.mutate(merchant)}>
          {t.unlock}
        </Button>
      ) : null}
      {mayBlock ? (
        <Button
          variant={merchant.isBlocked ? 'secondary' : 'danger'}
          size="small"
          isBusy={isBusy}
          onClick={() => setIsAsked(true)}
        >
          {merchant.isBlocked ? t.unblock : t.block}
        </Button>
      ) : null}
      {isAsked ? (
        <BlockDialog
          merchant={merchant}
          onClose={() => setIsAsked(false)}
          onConfirm={() => {
            setIsAsked(false);
            toggle.mutate(merchant);
          }}
        />
      ) : null}
    </div>
  );
}
