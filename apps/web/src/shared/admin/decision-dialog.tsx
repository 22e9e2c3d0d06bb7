import { useStore } from '@nanostores/react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { ApiError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { isPinNeeded, showFailure } from './failure-text.ts';
import { FormDialog } from './form-dialog.tsx';

const MESSAGES = i18n('admin/decision', { pin: 'Your PIN' });

type Typed = Record<string, string>;

export interface DecisionDialogProps {
  title: string;
  detail: string;
  /** The label of the button that decides. */
  confirm: string;
  isDanger?: boolean;
  /** An input besides the PIN, such as a reason. */
  field?: { name: string; label: string; hint?: string; maxLength: number };
  /** The contract of `pin` and the field. */
  schema: z.ZodMiniType;
  decide: (typed: Typed) => Promise<unknown>;
  outcome: { done: string; failed: string; failedDetail: string };
  /** The query key of the lists that show it. */
  listKey: QueryKey;
  /** Other queries that show the effect of the decision. */
  alsoChanged?: readonly QueryKey[];
  onClose: () => void;
}

/** Nothing was decided, and the same person can correct the input here. */
function canTryAgain(error: unknown): boolean {
  return (
    isPinNeeded(error) || (error instanceof ApiError && ['invalid_pin', 'validation_failed'].includes(error.code ?? ''))
  );
}

/** Asks an administrator for their PIN, and any other input that a decision needs, and sends the decision once. */
export function DecisionDialog({ title, detail, confirm, isDanger = false, ...props }: DecisionDialogProps) {
  const { field, schema, decide, outcome, listKey, alsoChanged = [], onClose } = props;
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm<Typed>(schema, { ...(field ? { [field.name]: '' } : {}), pin: '' });
  const deciding = useMutation({
    mutationFn: decide,
    meta: { silent: true },
    onSuccess() {
      showToast({ title: outcome.done, tone: 'success' });
      onClose();
    },
    onError(error) {
      showFailure(outcome.failed, error, outcome.failedDetail);
      if (canTryAgain(error)) form.setValues({ ...form.values, pin: '' });
      else onClose();
    },
    onSettled: () => Promise.all([listKey, ...alsoChanged].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <FormDialog
      title={title}
      detail={detail}
      form={form}
      confirm={confirm}
      isDanger={isDanger}
      isPending={deciding.isPending}
      onSubmit={() => deciding.mutate(form.values)}
      onClose={onClose}
    >
      {field ? (
        <TextField
          {...form.field(field.name)}
          label={field.label}
          maxLength={field.maxLength}
          autoComplete="off"
          {...(field.hint ? { hint: field.hint } : {})}
        />
      ) : null}
      <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
    </FormDialog>
  );
}
