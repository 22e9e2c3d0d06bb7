import type { ComponentProps } from 'react';
import { Button } from '#shared/ui/button.tsx';

/** A decision on an item of a list. On a phone the decisions share the width of the item. */
export function DecisionButton(props: Omit<ComponentProps<typeof Button>, 'size' | 'className'>) {
  return <Button size="small" className="flex-1 md:flex-none" {...props} />;
}
