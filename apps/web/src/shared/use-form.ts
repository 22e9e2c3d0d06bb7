import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { afterPress } from '#shared/after-press.ts';
import { useErrorFocus } from '#shared/use-error-focus.ts';

type Errors<Values> = Partial<Record<keyof Values & string, string>>;

function collectErrors<Values>(schema: z.ZodMiniType, values: Values): Errors<Values> {
  const parsed = z.safeParse(schema, values);
  const errors: Record<string, string> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const field = String(issue.path[0]);
    errors[field] ??= issue.message;
  }
  return errors as Errors<Values>;
}

/**
 * A form of text values under one schema. A field's error appears when the field is left or the form submitted, and
 * disappears as soon as the value is valid.
 */
export function useForm<Values extends Record<string, string>>(schema: z.ZodMiniType, initial: Values) {
  const [values, setValues] = useState(initial);
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  });
  const [errors, setErrors] = useState<Errors<Values>>({});
  const { formRef, focusError } = useErrorFocus();

  const judge = (field: keyof Values & string, judged: Values): void => {
    setErrors((shown) => ({ ...shown, [field]: collectErrors(schema, judged)[field] }));
  };

  const change = (field: keyof Values & string, value: string): void => {
    const next = { ...values, [field]: value };
    setValues(next);
    if (errors[field]) judge(field, next);
  };

  const leave = (field: keyof Values & string): void => {
    // An untouched field is not an error yet: people tab through forms.
    if (values[field] === '') return;
    afterPress(() => {
      // The press may have changed the value, or submitted the form: the server's error stays.
      const error = collectErrors(schema, latest.current)[field];
      setErrors((shown) => (shown[field] ? shown : { ...shown, [field]: error }));
    });
  };

  /** Shows all errors, focuses the first, and returns whether the form is valid. */
  const validate = (): boolean => {
    const found = collectErrors(schema, values);
    setErrors(found);
    const isValid = Object.keys(found).length === 0;
    if (!isValid) focusError();
    return isValid;
  };

  const field = (name: keyof Values & string) => ({
    name,
    value: values[name] ?? '',
    error: errors[name],
    onChange: (value: string) => change(name, value),
    onBlur: () => leave(name),
  });

  /** Empties a field, such as a refused PIN, and keeps what was typed elsewhere meanwhile. */
  const clear = (name: keyof Values & string): void => setValues((current) => ({ ...current, [name]: '' }));

  return { values, errors, formRef, field, validate, clear, setErrors, setValues };
}
