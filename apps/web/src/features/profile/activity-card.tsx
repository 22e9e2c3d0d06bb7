import { useStore } from '@nanostores/react';
import { FileText, ReceiptText } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { LinkRow } from './link-row.tsx';

const MESSAGES = i18n('activity-card', {
  title: 'Activity',
  history: 'Transaction History',
  statement: 'Account statement',
});

/** The way to the history for merchants whose dashboard does not link to it, with five or fewer transactions. */
export function ActivityCard() {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title} className="overflow-hidden">
      <ul className="divide-y divide-line">
        <LinkRow to={PATHS.transactions} Icon={ReceiptText} label={t.history} />
        <LinkRow to={PATHS.statement} Icon={FileText} label={t.statement} />
      </ul>
    </Card>
  );
}
