import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { LimitProposals as LimitProposalsSchema, type RaisedLimit } from '@vuka/contracts/http/proposals';
import { WaitingProposals } from '#shared/admin/waiting-proposals.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LIMIT_PROPOSALS_KEY, systemSettingsQuery } from './admin-settings.api.ts';

const MESSAGES = i18n('admin/limit-proposals', {
  what: 'The limit',
  title: 'Higher approval limits',
  withdrawal: 'Withdrawals need approval above',
  credit: 'Credits and deposits need a second administrator above',
  fromTo: params('{from} to {to}'),
});

export function LimitProposals() {
  const t = useStore(MESSAGES);
  const change = ({ currency, from, to }: RaisedLimit): string =>
    t.fromTo({ from: formatAmount(from, currency), to: formatAmount(to, currency) });
  return (
    <WaitingProposals
      address={LIMIT_PROPOSALS_KEY[0]}
      schema={LimitProposalsSchema}
      what={t.what}
      titleOf={() => <p className="text-card font-bold">{t.title}</p>}
      facts={({ limits }) => limits.map((limit) => [`${t[limit.kind]} (${limit.currency})`, change(limit)] as const)}
      changes={[systemSettingsQuery().queryKey]}
    />
  );
}
