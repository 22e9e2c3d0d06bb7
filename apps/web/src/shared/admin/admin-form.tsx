import type { FormEventHandler, ReactNode, Ref } from 'react';
import { Button } from '#shared/ui/button.tsx';

interface AdminFormProps {
  formRef: Ref<HTMLFormElement>;
  submit: string;
  submitting: string;
  isPending: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** A form with one button, that does nothing while what it asked for is under way. */
export function AdminForm({ formRef, submit, submitting, isPending, onSubmit, children }: AdminFormProps) {
  const onFormSubmit: FormEventHandler = (event) => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  return (
    <form ref={formRef} noValidate className="grid gap-4 px-4 pt-2 pb-5 sm:px-5" onSubmit={onFormSubmit}>
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

/** What an amount field accepts: what makes a number, so that a wrong one is told rather than swallowed. */
export function filterAmount(typed: string): string {
  return typed.replace(/[^\d.-]/g, '').slice(0, 16);
}
