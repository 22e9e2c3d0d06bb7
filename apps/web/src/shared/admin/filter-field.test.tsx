import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { FilterField } from './filter-field.tsx';

/** The address follows the typing when `apply` is called, as after a slow transition. */
let address: { asked: string[]; apply: (value: string) => void };

function Search() {
  const [value, setValue] = useState('');
  const [asked] = useState<string[]>([]);
  address = { asked, apply: (next) => act(() => setValue(next)) };
  return <FilterField label="Search" value={value} onChange={(text) => asked.push(text)} />;
}

test('what is typed stays as it is while the address follows late', async () => {
  render(<Search />);
  const field = screen.getByLabelText('Search');
  await userEvent.type(field, 'amin');
  expect(field).toHaveValue('amin');
  expect(address.asked).toEqual(['a', 'am', 'ami', 'amin']);
  address.apply('am');
  expect(field).toHaveValue('amin');
  await userEvent.type(field, 'x', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(field).toHaveValue('axmin');
  address.apply('axmin');
  expect(field).toHaveValue('axmin');
});

test('a value that was not typed, as after Back, is shown', async () => {
  render(<Search />);
  const field = screen.getByLabelText('Search');
  await userEvent.type(field, 'ab');
  address.apply('ab');
  address.apply('juma');
  expect(field).toHaveValue('juma');
});
