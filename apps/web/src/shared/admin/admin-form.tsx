import type { Currency } from '@vuka/money/corridors';
import { type ComponentProps, type FormEventHandler, type ReactNode, type RefObject, useRef } from 'react';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { Button } from '#shared/ui/button.tsx';
import { CurrencySelect } from '#shared/ui/currency-select.tsx';
import { TextField } from '#shared/ui/text-field.tsx';

interface AdminFormProps {
  /** From `useForm`. Errors are shown and stop the submission. Omitted where no field can be invalid. */
  form?: { formRef: RefObject<HTMLFormElement | null>; validate: () => boolean };
  submit: string;
  submitting: string;
  isPending: boolean;
  /** Shows the values without the button, to a role that cannot change them. */
  isReadOnly?: boolean;
  /** On a laptop the button is beside the only field, whose hint below the input is as high as the label above it. */
  isOneRow?: boolean;
  /** Called when the form is valid. */
  onSubmit: () => void;
  children: ReactNode;
}

/** A form with one button, which does nothing while a submission is in progress. */
export function AdminForm(props: AdminFormProps) {
  const { form, submit, submitting, isPending, isReadOnly, isOneRow, onSubmit, children } = props;
  const onFormSubmit: FormEventHandler = (event) => {
    event.preventDefault();
    if (!isPending && (!form || form.validate())) onSubmit();
  };
  return (
    <form
      ref={form?.formRef}
      noValidate
      className={`grid gap-4 px-4 pt-2 pb-5 sm:px-5 ${isOneRow ? 'items-center lg:flex' : ''}`}
      onSubmit={onFormSubmit}
    >
      {isReadOnly ? (
        <fieldset disabled className="contents">
          {children}
        </fieldset>
      ) : (
        children
      )}
      {isReadOnly ? null : (
        <Button
          type="submit"
          className="w-full sm:w-auto sm:justify-self-start"
          isPending={isPending}
          aria-disabled={isPending}
        >
          {isPending ? submitting : submit}
        </Button>
      )}
    </form>
  );
}

interface AmountFieldProps extends ComponentProps<typeof TextField> {
  value: string;
  currency?: string;
}

/**
 * From four digits on, the amount is repeated with thousands separators below the field: an extra zero is visible
 * there.
 */
const IS_LONG = /^\d{4,}(\.\d{1,2})?$/;

/** Keeps the characters of a number. A comma followed by at most the last few digits is a decimal comma. */
function readDecimal(typed: string): string {
  return typed
    .replace(/,(?=\d{0,4}\D*$)/, '.')
    .replace(/[^\d.-]/g, '')
    .slice(0, 16);
}

/** An amount has at most two decimals: three digits after a comma, or in a pasted amount, are a group of thousands. */
function readAmount(typed: string): string {
  return readDecimal(typed).replace(/^([1-9]\d*)\.(\d{3})$/, '$1$2');
}

/** A field for a percentage with decimals. */
export function PercentField({ onChange, ...field }: ComponentProps<typeof TextField>) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      autoComplete="off"
      className="nums"
      onChange={(typed) => onChange(readDecimal(typed))}
    />
  );
}

/**
 * A field for an amount. It keeps the characters of a number, so that a malformed one gets an error message instead of
 * being changed silently.
 */
export function AmountField({ onChange, currency, hint, ...field }: AmountFieldProps) {
  const shown = currency && IS_LONG.test(field.value) ? formatExactAmount(field.value, currency) : hint;
  /** A point that was typed stays a decimal point, so that a third decimal is an error and not a thousandfold amount. */
  const hasTypedPoint = useRef(false);
  const read = (typed: string): string => {
    if (typed === `${field.value}.`) hasTypedPoint.current = true;
    else if (!typed.includes('.')) hasTypedPoint.current = false;
    return hasTypedPoint.current ? readDecimal(typed) : readAmount(typed);
  };
  return (
    <TextField
      {...field}
      {...(shown ? { hint: shown } : {})}
      inputMode="decimal"
      autoComplete="off"
      className="nums"
      onChange={(typed) => onChange(read(typed))}
    />
  );
}

type FieldOfForm = Pick<ComponentProps<typeof TextField>, 'error' | 'onBlur' | 'onChange'> & {
  name: string;
  value: string;
};

interface AmountAndCurrencyProps {
  /** From `useForm`, with the fields `amount` and `currency`. */
  form: {
    values: { currency: string };
    field: (name: 'amount' | 'currency') => FieldOfForm;
  };
  labels: { amount: string; amountHint?: string; currency: string };
  currencies: readonly Currency[];
}

/** An amount and its currency, side by side where the form has two columns. */
export function AmountAndCurrency({ form, labels, currencies }: AmountAndCurrencyProps) {
  const { name, value, onChange } = form.field('currency');
  return (
    <>
      <AmountField
        {...form.field('amount')}
        label={labels.amount}
        currency={form.values.currency}
        {...(labels.amountHint ? { hint: labels.amountHint } : {})}
      />
      <CurrencySelect label={labels.currency} currencies={currencies} name={name} value={value} onChange={onChange} />
    </>
  );
}
