import { useStore } from '@nanostores/react';
import { Banknote, Wallet } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { LinkRow } from './link-row.tsx';

const MESSAGES = i18n('withdrawal-links', {
  title: 'Withdrawals',
  withdraw: 'Withdraw money',
  accounts: 'Linked accounts',
});

/** Links to withdrawals and linked accounts. */
export function WithdrawalLinksCard() {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title} className="overflow-hidden">
      <ul className="divide-y divide-line">
        <LinkRow to={PATHS.withdraw} Icon={Banknote} label={t.withdraw} />
        <LinkRow to={PATHS.accounts} Icon={Wallet} label={t.accounts} />
      </ul>
    </Card>
  );
}
