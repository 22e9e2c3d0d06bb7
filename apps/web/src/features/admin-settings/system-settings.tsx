import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SystemSettings as SystemSettingsSchema } from '@vuka/contracts/http/settings';
import { reason } from '@vuka/contracts/texts/reason';
import type { Currency, WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, CURRENCY_CODES, DEPOSIT_ONLY_CURRENCIES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { useState } from 'react';
import * as z from 'zod/mini';
import { AdminForm, AmountField } from '#shared/admin/admin-form.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { LIMIT_PROPOSALS, readSystemSettings, saveSystemSettings, systemSettingsQuery } from './admin-settings.api.ts';
import { APPROVAL_LIMIT_NAMES } from './approval-limit-names.ts';
import { SettingChangedError, useSaveSettings } from './use-save-settings.ts';

const MESSAGES = i18n('admin/system-settings', {
  systemName: 'System name',
  supportEmail: 'Support email',
  maxPinAttempts: 'Max PIN attempts',
  maxPinAttemptsHint: 'From 1 to 10. After that the account is locked for a while.',
  autoLogoutMinutes: 'Auto logout (minutes)',
  autoLogoutMinutesHint: 'From 5 to 120 minutes without activity',
  submit: 'Save system settings',
  submitting: 'Saving...',
  failed: 'The settings could not be loaded',
});

/** The contract's limits applied to the typed text, with its reasons. */
const wholeNumber = (name: 'pin_attempts_out_of_range' | 'auto_logout_out_of_range', min: number, max: number) => {
  const isWithin = (typed: string) => /^\d{1,3}$/.test(typed) && Number(typed) >= min && Number(typed) <= max;
  return z.string().check(z.refine(isWithin, { error: reason(name, { min, max }) }));
};
const wholeAmount = z.string().check(z.regex(/^\d{1,12}$/, { error: reason('approval_limit_not_whole') }));
const withdrawalField = (currency: WalletCurrency) => `withdrawal${currency}` as const;
const creditField = (currency: Currency) => `credit${currency}` as const;
const LIMITS = [
  ...WALLET_CURRENCIES.map((code) => ({ field: withdrawalField(code), label: 'withdrawal', currency: code }) as const),
  ...WALLET_CURRENCIES.map((code) => ({ field: creditField(code), label: 'credit', currency: code }) as const),
  ...DEPOSIT_ONLY_CURRENCIES.map((code) => ({ field: creditField(code), label: 'deposit', currency: code }) as const),
];
type Limit = (typeof LIMITS)[number];

function eachLimit<Value>(valueFor: (limit: Limit) => Value) {
  return Object.fromEntries(LIMITS.map((limit) => [limit.field, valueFor(limit)])) as Record<Limit['field'], Value>;
}

const SystemForm = z.object({
  systemName: SystemSettingsSchema.shape.systemName,
  supportEmail: SystemSettingsSchema.shape.supportEmail,
  maxPinAttempts: wholeNumber('pin_attempts_out_of_range', 1, 10),
  autoLogoutMinutes: wholeNumber('auto_logout_out_of_range', 5, 120),
  ...eachLimit(() => wholeAmount),
});

/** The settings as text, as the form fields hold them. */
const toTyped = (settings: SystemSettingsSchema) => ({
  systemName: settings.systemName,
  supportEmail: settings.supportEmail,
  maxPinAttempts: String(settings.maxPinAttempts),
  autoLogoutMinutes: String(settings.autoLogoutMinutes),
  ...eachLimit(
    (limit) =>
      (limit.label === 'withdrawal'
        ? settings.withdrawalApprovalLimit?.[limit.currency]
        : settings.creditApprovalLimit?.[limit.currency]) ?? '',
  ),
});

type Typed = ReturnType<typeof toTyped>;

/** What is typed, with the settings that have changed. */
function withChanges(typed: Typed, before: Typed, after: Typed): Typed {
  const isChanged = ([name, value]: [string, string]): boolean => before[name as keyof Typed] !== value;
  return { ...typed, ...Object.fromEntries(Object.entries(after).filter(isChanged)) };
}

function toSettings(typed: Record<string, string>): SystemSettingsSchema {
  const { systemName, supportEmail, maxPinAttempts, autoLogoutMinutes, ...limits } = z.parse(SystemForm, typed);
  return {
    systemName,
    supportEmail,
    maxPinAttempts: Number(maxPinAttempts),
    autoLogoutMinutes: Number(autoLogoutMinutes),
    withdrawalApprovalLimit: byCurrency(WALLET_CURRENCIES, (currency) => limits[withdrawalField(currency)]),
    creditApprovalLimit: byCurrency(CURRENCY_CODES, (currency) => limits[creditField(currency)]),
  };
}

export function SystemSettings() {
  const t = useStore(MESSAGES);
  const query = useQuery(systemSettingsQuery());
  return (
    <Card className="pt-3">
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(settings) => <SystemSettingsForm saved={settings} />}
      </QueryBody>
    </Card>
  );
}

function SystemSettingsForm({ saved }: { saved: SystemSettingsSchema }) {
  const t = useStore(MESSAGES);
  const names = useStore(APPROVAL_LIMIT_NAMES);
  const client = useQueryClient();
  const mayChange = useMayDo()('settings.change');
  const form = useForm(SystemForm, toTyped(saved));
  const [shown, setShown] = useState(saved);
  // New settings fill the form, except where others were typed. A `key` would take the focus from the button that saved
  // them.
  if (shown !== saved) {
    setShown(saved);
    form.setValues(withChanges(form.values, toTyped(shown), toTyped(saved)));
    form.setErrors({});
  }
  const save = useSaveSettings<SystemSettingsSchema>({
    read: readSystemSettings,
    save: saveSystemSettings,
    queryKey: systemSettingsQuery().queryKey,
  });
  const submit = (): void => {
    const before: Record<string, string> = toTyped(saved);
    const changed = Object.fromEntries(Object.entries(form.values).filter(([name, typed]) => typed !== before[name]));
    const change = (inForce: SystemSettingsSchema): SystemSettingsSchema => {
      const latest: Record<string, string> = toTyped(inForce);
      const isOther = (name: string) => latest[name] !== before[name] && latest[name] !== changed[name];
      if (Object.keys(changed).some(isOther)) throw new SettingChangedError();
      return toSettings({ ...latest, ...changed });
    };
    save.mutate(change, {
      onSuccess(inForce) {
        // Where a raised limit waits for another administrator, the one in force is shown again.
        form.setValues(toTyped(inForce));
        void client.invalidateQueries({ queryKey: LIMIT_PROPOSALS.key });
      },
    });
  };
  return (
    <AdminForm
      isReadOnly={!mayChange}
      form={form}
      submit={t.submit}
      submitting={t.submitting}
      isPending={save.isPending}
      onSubmit={submit}
    >
      {/* Two columns, so that a pair of limits is beside each other, under labels of the same height. */}
      <div className="grid max-w-wide gap-4 sm:grid-cols-2">
        <TextField {...form.field('systemName')} label={t.systemName} maxLength={60} autoComplete="off" />
        <TextField
          {...form.field('supportEmail')}
          label={t.supportEmail}
          type="email"
          inputMode="email"
          autoComplete="off"
        />
        <TextField
          {...form.field('maxPinAttempts')}
          label={t.maxPinAttempts}
          hint={t.maxPinAttemptsHint}
          type="number"
          min={1}
          max={10}
          className="nums"
        />
        <TextField
          {...form.field('autoLogoutMinutes')}
          label={t.autoLogoutMinutes}
          hint={t.autoLogoutMinutesHint}
          type="number"
          min={5}
          max={120}
          className="nums"
        />
        {LIMITS.map(({ field, label, currency }) => (
          <AmountField key={field} {...form.field(field)} label={names[label]({ currency })} currency={currency} />
        ))}
      </div>
    </AdminForm>
  );
}
