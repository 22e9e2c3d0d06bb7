import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { RecipientHolder as Holder } from '@vuka/contracts/http/recipients';
import { networkOf } from '@vuka/money/networks';
import type { ReactNode } from 'react';
import { callApi } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('recipient-holder', {
  merchant: params('{name}, a merchant here'),
  network: params('Usually on {network}'),
});

/** Who is paid: the name of a merchant here, otherwise the network that the number usually belongs to. */
export function RecipientHolder({ phone }: { phone: string }): ReactNode {
  const t = useStore(MESSAGES);
  const { data } = useQuery({
    queryKey: ['recipient-holder', phone],
    queryFn: ({ signal }) => callApi(`/api/recipients/${encodeURIComponent(phone)}/holder`, Holder, { signal }),
    staleTime: 60_000,
    retry: false,
    // Without an answer the network is shown, which needs none.
    meta: { silent: true },
  });
  if (data?.name) return <span className="font-semibold text-ink">{t.merchant({ name: data.name })}</span>;
  const network = networkOf(phone)?.name;
  return network ? <span>{t.network({ network })}</span> : null;
}
