import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { LimitProposals } from '#features/admin-settings/limit-proposals.tsx';
import { NotificationSettings } from '#features/admin-settings/notification-settings.tsx';
import { SecuritySettings } from '#features/admin-settings/security-settings.tsx';
import { SystemSettings } from '#features/admin-settings/system-settings.tsx';
import { AdministratorList } from '#features/administrators/administrator-list.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Tabs } from '#shared/ui/tabs.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/settings-page', {
  title: 'Admin Settings',
  description: 'Your PIN, notifications, and the settings of the whole system.',
  tabs: 'Settings',
  security: 'Security',
  notifications: 'Notifications',
  system: 'System',
});

const PANELS = { security: SecuritySettings, notifications: NotificationSettings, system: SystemSettings } as const;
const NAMES = ['security', 'notifications', 'system'] as const;
/** The tabs of roles that may not read the settings. */
const OWN = ['security'] as const;

export function SettingsPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  const [selected, setSelected] = useState<keyof typeof PANELS>('security');
  const Panel = PANELS[selected];
  return (
    <AdminPage title={t.title} description={t.description}>
      <Tabs
        label={t.tabs}
        tabs={(mayDo('settings.read') ? NAMES : OWN).map((name) => ({ name, label: t[name] }))}
        selected={selected}
        onSelect={setSelected}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {selected === 'system' ? <LimitProposals /> : null}
          <Panel />
          {selected === 'security' && mayDo('administrators.read') ? <AdministratorList /> : null}
        </div>
      </Tabs>
    </AdminPage>
  );
}
