import type { ComponentProps, FormEventHandler, ReactNode, RefObject } from 'react';
import { Button } from '#shared/ui/button.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { exactAmount } from './exact-amount.ts';

interface AdminFormProps {
  /** As `useForm` makes it: what is wrong is shown, and nothing is sent. None where nothing can be wrong. */
  form?: { formRef: RefObject<HTMLFormElement | null>; validate: () => boolean };
  submit: string;
  submitting: string;
  isPending: boolean;
  /** Called when what was typed may go. */
  onSubmit: () => void;
  children: ReactNode;
}

/** A form with one button, that does nothing while what it asked for is under way. */
export function AdminForm({ form, submit, submitting, isPending, onSubmit, children }: AdminFormProps) {
  const onFormSubmit: FormEventHandler = (event) => {
    event.preventDefault();
    if (!isPending && (!form || form.validate())) onSubmit();
  };
  return (
    <form ref={form?.formRef} noValidate className="grid gap-4 px-4 pt-2 pb-5 sm:px-5" onSubmit={onFormSubmit}>
      {children}
      <Button
        type="submit"
        className="w-full sm:w-auto sm:justify-self-start"
        isPending={isPending}
        aria-disabled={isPending}
      >
        {isPending ? submitting : submit}
      </Button>
    </form>
  );
}

interface AmountFieldProps extends ComponentProps<typeof TextField> {
  value: string;
  currency?: string;
}

/** From four digits on the thousands are parted below the field: a zero too many is seen there. */
const IS_LONG = /^\d{4,}(\.\d{1,2})?$/;

/** What makes a number of what was typed. A comma before a few last digits, or before none yet, is a decimal one. */
function readDecimal(typed: string): string {
  return typed
    .replace(/,(?=\d{0,4}\D*$)/, '.')
    .replace(/[^\d.-]/g, '')
    .slice(0, 16);
}

/** An amount has at most two decimals: three digits are a group of thousands, whatever parts them. */
function readAmount(typed: string): string {
  return readDecimal(typed).replace(/^([1-9]\d*)\.(\d{3})$/, '$1$2');
}

/** A field for a part of a hundred, with decimals. */
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

/** A field for an amount. It takes what makes a number, so that a wrong one is told rather than swallowed. */
export function AmountField({ onChange, currency, hint, ...field }: AmountFieldProps) {
  const shown = currency && IS_LONG.test(field.value) ? exactAmount(field.value, currency) : hint;
  return (
    <TextField
      {...field}
      {...(shown ? { hint: shown } : {})}
      inputMode="decimal"
      autoComplete="off"
      className="nums"
      onChange={(typed) => onChange(readAmount(typed))}
    />
  );
}
