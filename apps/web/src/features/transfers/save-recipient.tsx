import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RecipientLabel, type SavedRecipient } from '@vuka/contracts/http/recipients';
import { type FormEvent, useState } from 'react';
import * as z from 'zod/mini';
import { forgetRecipient, RECIPIENTS_KEY, saveRecipient } from '#shared/api/recipients.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { TextField } from '#shared/ui/text-field.tsx';

const MESSAGES = i18n('save-recipient', {
  save: 'Save recipient',
  edit: 'Saved recipient',
  name: 'Name',
  hint: 'Only you see this name.',
  confirm: 'Save',
  remove: 'Remove',
  cancel: 'Cancel',
});

interface SaveRecipientProps {
  phone: string;
  /** The current name, if the number is saved. */
  label: string | undefined;
  onClose: () => void;
}

/** Saves a number under a name, renames it, or removes it. */
export function SaveRecipient({ phone, label, onClose }: SaveRecipientProps) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [name, setName] = useState(label ?? '');
  const [error, setError] = useState<string>();
  const options = {
    meta: { silent: true },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: RECIPIENTS_KEY });
      onClose();
    },
    onError: (cause: unknown) => setError(errorMessage(cause)),
  };
  const save = useMutation({ mutationFn: (recipient: SavedRecipient) => saveRecipient(recipient), ...options });
  const forget = useMutation({ mutationFn: () => forgetRecipient(phone), ...options });
  const isBusy = save.isPending || forget.isPending;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // React events bubble to the form that opened the dialog, although in the DOM the dialog is outside of it.
    event.stopPropagation();
    const parsed = z.safeParse(RecipientLabel, name);
    setError(parsed.error?.issues[0]?.message);
    if (parsed.success && !isBusy) save.mutate({ phone, label: parsed.data });
  };
  return (
    <ModalDialog title={label === undefined ? t.save : t.edit} onCancel={onClose}>
      <p className="nums mt-1 text-ink2">{formatPhone(phone)}</p>
      <form noValidate className="mt-4 grid gap-5" onSubmit={submit}>
        <TextField
          label={t.name}
          hint={t.hint}
          value={name}
          error={error}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="words"
          onChange={setName}
        />
        <div className="flex flex-wrap-reverse gap-3">
          {label === undefined ? (
            <Button variant="secondary" className="flex-1" onClick={onClose}>
              {t.cancel}
            </Button>
          ) : (
            <Button
              variant="danger"
              className="flex-1"
              isPending={forget.isPending}
              onClick={() => !isBusy && forget.mutate()}
            >
              {t.remove}
            </Button>
          )}
          <Button type="submit" className="flex-1" isPending={save.isPending}>
            {t.confirm}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
