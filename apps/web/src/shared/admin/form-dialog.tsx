import { useStore } from '@nanostores/react';
import type { ReactNode, RefObject } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Dialog } from './dialog.tsx';
import { DialogButton } from './dialog-button.tsx';

const MESSAGES = i18n('admin/form-dialog', { cancel: 'Cancel' });

interface FormDialogProps {
  title: string;
  detail: string;
  /** From `useForm`. Errors are shown and stop the submission. */
  form: { formRef: RefObject<HTMLFormElement | null>; validate: () => boolean };
  /** The label of the button that submits. */
  confirm: string;
  isDanger?: boolean;
  isPending: boolean;
  /** Called when the form is valid, and never while a submission is in progress. */
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form that is submitted or cancelled. */
export function FormDialog({ title, detail, form, isPending, onSubmit, onClose, ...props }: FormDialogProps) {
  const { confirm, isDanger = false, children } = props;
  const t = useStore(MESSAGES);
  return (
    <Dialog title={title} isBusy={isPending} onClose={onClose}>
      <form
        ref={form.formRef}
        noValidate
        className="grid gap-5 px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && form.validate()) onSubmit();
        }}
      >
        <p className="text-small break-words text-ink2">{detail}</p>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <DialogButton variant="secondary" isBusy={isPending} onClick={onClose}>
            {t.cancel}
          </DialogButton>
          <DialogButton
            type="submit"
            variant={isDanger ? 'destructive' : 'primary'}
            isPending={isPending}
            aria-disabled={isPending}
          >
            {confirm}
          </DialogButton>
        </div>
      </form>
    </Dialog>
  );
}
