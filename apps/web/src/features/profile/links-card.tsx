import { useStore } from '@nanostores/react';
import { Banknote, FileText, ReceiptText, ShieldCheck, Wallet } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { LinkRow } from './link-row.tsx';

const MESSAGES = i18n('profile-links', {
  history: 'Transaction History',
  statement: 'Statement',
  security: 'Security',
  withdraw: 'Withdraw money',
  accounts: 'Linked Accounts',
});

/** The pages that are not in the navigation. The dashboard links to the history only above five transactions. */
export function LinksCard() {
  const t = useStore(MESSAGES);
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line">
        <LinkRow to={PATHS.transactions} Icon={ReceiptText} label={t.history} />
        <LinkRow to={PATHS.statement} Icon={FileText} label={t.statement} />
        <LinkRow to={PATHS.withdraw} Icon={Banknote} label={t.withdraw} />
        <LinkRow to={PATHS.accounts} Icon={Wallet} label={t.accounts} />
        <LinkRow to={PATHS.security} Icon={ShieldCheck} label={t.security} />
      </ul>
    </Card>
  );
}
