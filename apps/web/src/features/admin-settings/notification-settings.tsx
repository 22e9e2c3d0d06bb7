import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Switch } from '#shared/ui/switch.tsx';
import {
  type Notifications,
  notificationSettingsQuery,
  readNotificationSettings,
  saveNotificationSettings,
} from './admin-settings.api.ts';
import { useSaveSettings } from './use-save-settings.ts';

const MESSAGES = i18n('admin/notification-settings', {
  emailNotifications: 'Email notifications',
  emailNotificationsHint: 'Send the alerts below by email',
  smsNotifications: 'SMS notifications',
  smsNotificationsHint: 'Send the alerts below by text message',
  loginAlerts: 'Login alerts',
  loginAlertsHint: 'Tell each user about every sign-in to their account',
  transactionAlerts: 'Transaction alerts',
  transactionAlertsHint: 'Tell merchants when their transaction settles or fails',
  submit: 'Save notification settings',
  submitting: 'Saving...',
  failed: 'The settings could not be loaded',
});

const SWITCHES = ['emailNotifications', 'smsNotifications', 'loginAlerts', 'transactionAlerts'] as const;

export function NotificationSettings() {
  const t = useStore(MESSAGES);
  const query = useQuery(notificationSettingsQuery());
  return (
    <Card className="pt-3">
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(settings) => <NotificationForm saved={settings} />}
      </QueryBody>
    </Card>
  );
}

function NotificationForm({ saved }: { saved: Notifications }) {
  const t = useStore(MESSAGES);
  const mayChange = useMayDo()('settings.change');
  const [changes, setChanges] = useState<Partial<Notifications>>({});
  const settings = { ...saved, ...changes };
  const save = useSaveSettings({
    read: readNotificationSettings,
    save: saveNotificationSettings,
    queryKey: notificationSettingsQuery().queryKey,
  });
  return (
    <AdminForm
      isReadOnly={!mayChange}
      submit={t.submit}
      submitting={t.submitting}
      isPending={save.isPending}
      onSubmit={() => save.mutate((inForce) => ({ ...inForce, ...changes }), { onSuccess: () => setChanges({}) })}
    >
      <div className="max-w-merchant divide-y divide-line">
        {SWITCHES.map((name) => (
          <Setting
            key={name}
            label={t[name]}
            hint={t[`${name}Hint`]}
            isOn={settings[name]}
            onChange={(isOn) => setChanges({ ...changes, [name]: isOn })}
          />
        ))}
      </div>
    </AdminForm>
  );
}

interface SettingProps {
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Setting({ label, hint, isOn, onChange }: SettingProps) {
  const id = useId();
  return (
    <div className="flex min-h-16 items-center justify-between gap-4 py-2">
      <label htmlFor={id} className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <span id={`${id}-hint`} className="block text-caption text-ink3">
          {hint}
        </span>
      </label>
      <Switch id={id} label={label} describedBy={`${id}-hint`} isOn={isOn} onChange={onChange} />
    </div>
  );
}
