import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { RaisedLimit } from '@vuka/contracts/http/proposals';
import { DEPOSIT_ONLY_CURRENCIES } from '@vuka/money/currencies';
import { WaitingProposals } from '#shared/admin/waiting-proposals.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LIMIT_PROPOSALS, systemSettingsQuery } from './admin-settings.api.ts';
import { APPROVAL_LIMIT_NAMES } from './approval-limit-names.ts';

const MESSAGES = i18n('admin/limit-proposals', {
  title: 'Higher approval limits',
  fromTo: params('{from} to {to}'),
});

export function LimitProposals() {
  const t = useStore(MESSAGES);
  const names = useStore(APPROVAL_LIMIT_NAMES);
  /** The limit of credits is also that of deposits; a currency without wallets has only these. */
  const nameOf = ({ kind, currency }: RaisedLimit): string => {
    const isDeposit = kind === 'credit' && DEPOSIT_ONLY_CURRENCIES.some((code) => code === currency);
    return names[isDeposit ? 'deposit' : kind]({ currency });
  };
  const change = ({ currency, from, to }: RaisedLimit): string =>
    t.fromTo({ from: formatAmount(from, currency), to: formatAmount(to, currency) });
  return (
    <WaitingProposals
      list={LIMIT_PROPOSALS}
      right="limits.decide"
      titleOf={() => t.title}
      facts={({ limits }) => limits.map((limit) => [nameOf(limit), change(limit)] as const)}
      changes={[systemSettingsQuery().queryKey]}
    />
  );
}
