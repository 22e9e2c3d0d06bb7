import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { type Notifications, notificationSettingsQuery, saveNotificationSettings } from './admin-settings.api.ts';
import { useSaveSettings } from './use-save-settings.ts';

const MESSAGES = i18n('admin/notification-settings', {
  emailNotifications: 'Email notifications',
  emailNotificationsHint: 'News of the system by email',
  smsNotifications: 'SMS notifications',
  smsNotificationsHint: 'News of the system by text message',
  loginAlerts: 'Login alerts',
  loginAlertsHint: 'When an administrator signs in',
  transactionAlerts: 'Transaction alerts',
  transactionAlertsHint: 'When a transaction is stuck',
  submit: 'Save notification settings',
  submitting: 'Saving...',
  failed: 'The settings could not be loaded',
});

const SWITCHES = ['emailNotifications', 'smsNotifications', 'loginAlerts', 'transactionAlerts'] as const;

export function NotificationSettings() {
  const t = useStore(MESSAGES);
  const query = useQuery(notificationSettingsQuery());
  return (
    <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
      {(settings) => <NotificationForm saved={settings} />}
    </QueryBody>
  );
}

function NotificationForm({ saved }: { saved: Notifications }) {
  const t = useStore(MESSAGES);
  const formRef = useRef<HTMLFormElement>(null);
  const [changes, setChanges] = useState<Partial<Notifications>>({});
  const settings = { ...saved, ...changes };
  const save = useSaveSettings(saveNotificationSettings, notificationSettingsQuery().queryKey);
  return (
    <AdminForm
      formRef={formRef}
      submit={t.submit}
      submitting={t.submitting}
      isPending={save.isPending}
      onSubmit={() => save.mutate(settings, { onSuccess: () => setChanges({}) })}
    >
      <div className="divide-y divide-line">
        {SWITCHES.map((name) => (
          <Switch
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

interface SwitchProps {
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex min-h-16 items-center justify-between gap-4 py-2">
      <label htmlFor={id} className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <span id={`${id}-hint`} className="block text-caption text-ink3">
          {hint}
        </span>
      </label>
      <input
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is on.
        role="switch"
        aria-label={label}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        className="relative h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full bg-field transition-colors before:absolute before:top-1 before:left-1 before:size-5 before:rounded-full before:bg-surface before:transition-transform checked:bg-primary checked:before:translate-x-5"
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}
