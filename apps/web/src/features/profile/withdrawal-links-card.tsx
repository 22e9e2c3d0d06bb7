import { useStore } from '@nanostores/react';
import { Banknote, ChevronRight, type LucideIcon, Wallet } from 'lucide-react';
import { Link } from 'react-router-dom';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';

const MESSAGES = i18n('withdrawal-links', {
  title: 'Withdrawals',
  withdraw: 'Withdraw money',
  accounts: 'Linked accounts',
});

function Row({ to, Icon, label }: { to: string; Icon: LucideIcon; label: string }) {
  return (
    <li>
      <Link to={to} className="flex min-h-14 items-center gap-3 px-4 -outline-offset-3 hover:bg-sunken sm:px-5">
        <Icon aria-hidden className="size-5 shrink-0 text-ink2" />
        <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{label}</span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3" />
      </Link>
    </li>
  );
}

/** Links to withdrawals and linked accounts. */
export function WithdrawalLinksCard() {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title} className="overflow-hidden">
      <ul className="divide-y divide-line">
        <Row to={PATHS.withdraw} Icon={Banknote} label={t.withdraw} />
        <Row to={PATHS.accounts} Icon={Wallet} label={t.accounts} />
      </ul>
    </Card>
  );
}
