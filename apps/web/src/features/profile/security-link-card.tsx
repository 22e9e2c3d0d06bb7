import { useStore } from '@nanostores/react';
import { ShieldCheck } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { LinkRow } from './link-row.tsx';

const MESSAGES = i18n('security-link', { title: 'Security', open: 'PIN, verification and devices' });

export function SecurityLinkCard() {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title} className="overflow-hidden">
      <ul>
        <LinkRow to={PATHS.security} Icon={ShieldCheck} label={t.open} />
      </ul>
    </Card>
  );
}
