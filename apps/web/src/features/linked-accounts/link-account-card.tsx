import '#shared/i18n/account-refusals.ts';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LinkedAccount, NewLinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { COUNTRIES, type Country } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { COUNTRY_CODES, countryOf } from '@vuka/money/directions';
import { carriersOf } from '@vuka/money/networks';
import { prefixOf } from '@vuka/money/phones';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { LINKED_ACCOUNTS_KEY } from '#shared/api/withdrawals.api.ts';
import { callApi, errorMessage } from '#shared/api-client.ts';
import { beginsWithCountry, readLocalPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { ruleText } from '#shared/i18n/refusal-texts.ts';
import { type SessionUser, useSessionUser } from '#shared/session.ts';
import { submitOnce } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencySelect } from '#shared/ui/currency-select.tsx';
import { PhoneField } from '#shared/ui/phone-field.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { SegmentedChoice } from '#shared/ui/segmented-choice.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useErrorFocus } from '#shared/use-error-focus.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { LINKED_ACCOUNT } from './linked-account.ts';

const MESSAGES = i18n('link-account', {
  title: 'Link an account',
  type: 'Account type',
  mobile: 'Mobile money',
  bank: 'Bank',
  name: 'Name on the account',
  phone: 'Phone number',
  country: 'Country',
  phoneHint: '9 digits, without the leading zero',
  carrier: 'Carrier',
  bankName: 'Bank name',
  accountNumber: 'Account number',
  branchCode: 'Branch code (optional)',
  swiftCode: 'SWIFT code (optional)',
  currency: 'Currency',
  pin: 'Your PIN',
  pinHint: 'So that no one else can link an account to your wallet',
  cancel: 'Cancel',
  submit: 'Link account',
  submitting: 'Linking...',
  done: 'Account linked',
  doneDetail: 'You can withdraw to it now.',
  failed: 'The account was not linked',
});

const EMPTY = {
  accountType: 'mobile_money',
  accountName: '',
  country: '' as Country,
  phone: '',
  carrier: '',
  currency: '',
  bankName: '',
  accountNumber: '',
  branchCode: '',
  swiftCode: '',
  pin: '',
};
type Values = typeof EMPTY;

/** The fields that a change of country changes. */
function ofCountry(country: Country) {
  return { country, carrier: carriersOf(country)[0] ?? '' };
}

/** The initial form values: most accounts are in their owner's country. */
function emptyFor(user: SessionUser | null): Values {
  const country = readLocalPhone(user?.phone ?? '').country ?? countryOf(user?.defaultCurrency ?? WALLET_CURRENCIES[0]);
  return { ...EMPTY, ...ofCountry(country), currency: COUNTRIES[country].currency };
}

/** The typed values as the contract's request body, without empty fields. */
function toBody(values: Values) {
  const { accountType, accountName, pin } = values;
  if (accountType === 'bank') {
    const { currency, bankName, accountNumber, branchCode, swiftCode } = values;
    const codes = { ...(branchCode ? { branchCode } : {}), ...(swiftCode ? { swiftCode } : {}) };
    return { accountType, accountName, currency, bankName, accountNumber, ...codes, pin };
  }
  return {
    accountType,
    accountName,
    // A number with an incomplete country code gets no prefix: that would make it a different number.
    phoneNumber:
      values.phone && !beginsWithCountry(values.phone) ? prefixOf(values.country) + values.phone : values.phone,
    carrier: values.carrier,
    pin,
  };
}

/** The form for another account. It closes once the account is linked. */
export function LinkAccountCard({ onClose }: { onClose: () => void }) {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title}>
      <LinkAccountForm onClose={onClose} />
    </Card>
  );
}

/** A form validated by the contract, whose issues name the contract's fields. */
function useLinkForm() {
  const user = useSessionUser();
  const [values, setValues] = useState(() => emptyFor(user));
  const { formRef, focusError } = useErrorFocus();
  // The button that opened the form is gone.
  useEffect(() => formRef.current?.querySelector('input')?.focus(), [formRef]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const check = (): boolean => {
    const issues = NewLinkedAccount.safeParse(toBody(values)).error?.issues ?? [];
    setErrors(Object.fromEntries(issues.map((issue) => [String(issue.path[0]), issue.message]).reverse()));
    if (issues.length > 0) focusError();
    return issues.length === 0;
  };
  const change = (changes: Partial<Values>, issue: string): void => {
    setErrors(({ [issue]: _, ...others }) => others);
    setValues({ ...values, ...changes });
  };
  const field = (name: keyof Values, issue: string = name) => ({
    name,
    value: values[name],
    error: errors[issue] && ruleText(errors[issue]),
    onChange: (value: string) => change({ [name]: value }, issue),
  });
  return { values, change, formRef, field, check };
}

function LinkAccountForm({ onClose }: { onClose: () => void }) {
  const t = useStore(MESSAGES);
  const form = useLinkForm();
  const link = useLink({
    onDone: onClose,
    onError: () => form.change({ pin: '' }, 'pin'),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!link.isPending && form.check()) link.mutate(toBody(form.values));
  };
  const pin = form.field('pin');
  const pinError = pin.error ?? (form.values.pin === '' ? link.pinError : undefined);
  const pinField = <PinField {...pin} error={pinError} label={t.pin} hint={t.pinHint} autoComplete="off" />;
  return (
    <form
      ref={form.formRef}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-5 sm:px-5"
      onSubmit={submit}
    >
      <SegmentedChoice
        legend={t.type}
        name="accountType"
        value={form.values.accountType}
        choices={[
          { value: 'mobile_money', label: t.mobile },
          { value: 'bank', label: t.bank },
        ]}
        onChange={form.field('accountType').onChange}
      />
      <TextField {...form.field('accountName')} label={t.name} maxLength={60} autoComplete="name" />
      {form.values.accountType === 'bank' ? (
        <BankFields form={form} pinField={pinField} />
      ) : (
        <PhoneFields form={form} pinField={pinField} />
      )}
      <div className="flex flex-wrap gap-4">
        {/* To leave the form would not stop the request, which then ends unseen. */}
        <Button variant="secondary" className="flex-1" isBusy={link.isPending} onClick={onClose}>
          {t.cancel}
        </Button>
        <Button
          type="submit"
          className="flex-1 whitespace-nowrap"
          isPending={link.isPending}
          aria-disabled={link.isPending}
        >
          {link.isPending ? t.submitting : t.submit}
        </Button>
      </div>
    </form>
  );
}

type LinkForm = ReturnType<typeof useLinkForm>;

/** The PIN is beside the number, so that a laptop shows the button below without scrolling. */
function PhoneFields({ form, pinField }: { form: LinkForm; pinField: ReactNode }) {
  const t = useStore(MESSAGES);
  const names = useStore(NAMES);
  const { country } = form.values;
  const type = (typed: string): void => {
    const { digits, country: named } = readLocalPhone(typed);
    const changes = named && named !== country ? ofCountry(named) : {};
    form.change({ phone: digits, ...changes }, 'phoneNumber');
  };
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t.country}
          name="country"
          value={country}
          options={COUNTRY_CODES.map((code) => ({ value: code, label: names[code] }))}
          onChange={(value) => form.change(ofCountry(value as Country), 'country')}
        />
        <SelectField
          label={t.carrier}
          name="carrier"
          value={form.values.carrier}
          options={carriersOf(country).map((carrier) => ({ value: carrier, label: carrier }))}
          onChange={form.field('carrier').onChange}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <PhoneField
          label={t.phone}
          name="phone"
          country={country}
          digits={form.values.phone}
          error={form.field('phone', 'phoneNumber').error}
          hint={t.phoneHint}
          autoComplete="tel-national"
          onType={type}
        />
        {pinField}
      </div>
    </>
  );
}

function BankFields({ form, pinField }: { form: LinkForm; pinField: ReactNode }) {
  const t = useStore(MESSAGES);
  const swift = form.field('swiftCode');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('bankName')} label={t.bankName} maxLength={60} autoComplete="off" />
        <TextField
          {...form.field('accountNumber')}
          label={t.accountNumber}
          maxLength={34}
          autoComplete="off"
          className="nums"
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('branchCode')} label={t.branchCode} maxLength={20} autoComplete="off" />
        <TextField
          {...swift}
          label={t.swiftCode}
          maxLength={11}
          autoComplete="off"
          autoCapitalize="characters"
          onChange={(typed) => swift.onChange(typed.toUpperCase().trim())}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <CurrencySelect
          label={t.currency}
          currencies={WALLET_CURRENCIES}
          value={form.values.currency}
          onChange={form.field('currency').onChange}
        />
        {pinField}
      </div>
    </>
  );
}

function useLink({ onDone, onError }: { onDone: () => void; onError: () => void }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [pinError, setPinError] = useState<string>();
  const mutation = useMutation({
    mutationFn: ({ pin, ...account }: { pin: string }) =>
      submitOnce(LINKED_ACCOUNT, account, (idempotencyKey) =>
        callApi('/api/linked-accounts', LinkedAccount, { method: 'POST', body: { ...account, pin }, idempotencyKey }),
      ),
    meta: { silent: true },
    async onSuccess() {
      // Before the list is shown, which would not have the account yet.
      await client.invalidateQueries({ queryKey: LINKED_ACCOUNTS_KEY, refetchType: 'all' });
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
      onDone();
    },
    onError(error) {
      setPinError(isWrongPin(error) ? errorMessage(error) : undefined);
      showError(t.failed, errorMessage(error));
      onError();
      // After a lost answer the account may have been linked.
      return client.invalidateQueries({ queryKey: LINKED_ACCOUNTS_KEY });
    },
  });
  return { ...mutation, pinError };
}
