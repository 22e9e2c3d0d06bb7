import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { MerchantDetail } from '@vuka/contracts/http/merchants';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { CircleCheck, CircleHelp } from 'lucide-react';
import { findMerchantsQuery, WHOLE_MERCHANT_ID } from '#shared/admin/find-merchants.api.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { callApi } from '#shared/api-client.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/credit-recipient', {
  found: params('{name}, {country}, {currency}'),
  blocked: params('{name}, {country}, {currency}: blocked'),
  balances: params('Available now: {amounts}'),
  unknown: 'No merchant has this ID',
});

/** The merchant with this ID, null if there is none. Undefined while it is unknown, or the ID is incomplete. */
export function useMerchantOfId(merchantId: string) {
  const mayDo = useMayDo();
  const isWhole = WHOLE_MERCHANT_ID.test(merchantId) && mayDo('merchants.read');
  const { data } = useQuery({ ...findMerchantsQuery(merchantId, 1), enabled: isWhole });
  if (!isWhole || !data) return undefined;
  return data.find((merchant) => merchant.merchantId === merchantId) ?? null;
}

/** The merchant's available balances, cached under the same key as the merchant's page. */
function useBalancesOf(id: string | undefined) {
  const { data } = useQuery({
    queryKey: ['/api/admin/merchants', id],
    queryFn: ({ signal }) => callApi(`/api/admin/merchants/${id}`, MerchantDetail, { signal }),
    enabled: id !== undefined,
    staleTime: 5_000,
    meta: { silent: true },
  });
  return data?.balances ?? undefined;
}

/** Names the merchant whose ID was typed. Shows `otherwise` until the merchant is known. */
export function CreditRecipient({ merchantId, otherwise }: { merchantId: string; otherwise: string }) {
  const t = useStore(MESSAGES);
  const merchant = useMerchantOfId(merchantId);
  const balances = useBalancesOf(merchant?.id);
  const Icon = merchant ? CircleCheck : CircleHelp;
  const what = merchant && {
    name: merchant.fullName,
    country: merchant.country,
    currency: merchant.defaultCurrency,
  };
  return (
    // Two lines high, so that nothing moves when the name appears.
    <p role="status" className="flex min-h-10 items-start gap-1.5">
      {merchant === undefined ? (
        otherwise
      ) : (
        <>
          <Icon aria-hidden className={`size-4.5 shrink-0 ${merchant ? 'text-ok' : 'text-warn-ink'}`} />
          <span className="nums text-small font-medium text-ink2">
            {what ? (merchant.isBlocked ? t.blocked(what) : t.found(what)) : t.unknown}
            {balances ? (
              <span className="block font-normal text-ink3">
                {t.balances({
                  amounts: WALLET_CURRENCIES.map((code) => formatAmount(balances[code].available, code)).join(', '),
                })}
              </span>
            ) : null}
          </span>
        </>
      )}
    </p>
  );
}
