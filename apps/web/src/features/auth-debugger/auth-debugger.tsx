import { useStore } from '@nanostores/react';
import { COUNTRIES, REGISTRATION_COUNTRY } from '@vuka/money/corridors';
import { type FormEvent, useState } from 'react';
import { parseJson } from '#shared/api-client.ts';
import { filterPin } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { Tabs } from '#shared/ui/tabs.tsx';
import { TextField } from '#shared/ui/text-field.tsx';

const MESSAGES = i18n('auth-debugger', {
  title: 'Auth API Debugger',
  email: 'Email',
  pin: 'PIN',
  send: 'Send request',
  noAnswer: 'No answer',
  endpoint: 'Endpoint',
  status: 'Status',
  login: 'Login',
  register: 'Register',
  session: 'Check Session',
  logout: 'Logout',
});

const TABS = ['login', 'register', 'session', 'logout'] as const;

type Tab = (typeof TABS)[number];

interface Call {
  method: 'GET' | 'POST';
  endpoint: string;
  body?: Record<string, string>;
}

/** The call of each tab. The debugger sends the PIN as `password`, which the server accepts as `pin`. */
function callOf(tab: Tab, email: string, pin: string): Call {
  switch (tab) {
    case 'login':
      return { method: 'POST', endpoint: '/api/login', body: { username: email, password: pin } };
    case 'register': {
      const name = email.split('@')[0] ?? '';
      const { callingCode, currency: defaultCurrency, name: country } = COUNTRIES[REGISTRATION_COUNTRY];
      const body = { name, email, password: pin, phoneNumber: `+${callingCode}700000000`, defaultCurrency, country };
      return { method: 'POST', endpoint: '/api/register', body };
    }
    case 'session':
      return { method: 'GET', endpoint: '/api/user' };
    case 'logout':
      return { method: 'POST', endpoint: '/api/logout' };
  }
}

interface Answer {
  call: Call;
  status: string;
  json: string;
}

async function send(call: Call): Promise<Answer> {
  try {
    const response = await fetch(call.endpoint, {
      method: call.method,
      credentials: 'include',
      ...(call.body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) } : {}),
    });
    const text = await response.text();
    const json = JSON.stringify(parseJson(text), null, 2) ?? text;
    return { call, status: `${response.status} ${response.statusText}`.trim(), json };
  } catch (error) {
    return { call, status: MESSAGES.get().noAnswer, json: error instanceof Error ? error.message : '' };
  }
}

function AnswerView({ answer }: { answer: Answer }) {
  const t = useStore(MESSAGES);
  return (
    <div role="status" className="mt-5 border-t border-line pt-4 text-small">
      <p className="nums">
        {t.endpoint}: <strong>{`${answer.call.method} ${answer.call.endpoint}`}</strong>
      </p>
      <p className="nums">
        {t.status}: <strong>{answer.status}</strong>
      </p>
      <pre className="mt-2 break-words whitespace-pre-wrap rounded-control bg-sunken p-4 text-caption">
        {answer.json}
      </pre>
    </div>
  );
}

export function AuthDebugger() {
  const t = useStore(MESSAGES);
  const [tab, setTab] = useState<Tab>('login');
  const [email, setEmail] = useState('');
  const [pin, setPin] = useState('');
  const [answer, setAnswer] = useState<Answer>();
  const needsCredentials = tab === 'login' || tab === 'register';
  const select = (name: Tab): void => {
    setTab(name);
    setAnswer(undefined);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAnswer(await send(callOf(tab, email, pin)));
  };
  return (
    <Card title={t.title} className="pb-5">
      <div className="px-4 pt-1 sm:px-5">
        <Tabs label={t.title} tabs={TABS.map((name) => ({ name, label: t[name] }))} selected={tab} onSelect={select}>
          <form noValidate className="mt-5 grid gap-4" onSubmit={(event) => void submit(event)}>
            {needsCredentials ? (
              <>
                <TextField label={t.email} type="email" autoComplete="off" value={email} onChange={setEmail} />
                <PinField label={t.pin} autoComplete="off" value={pin} onChange={(typed) => setPin(filterPin(typed))} />
              </>
            ) : null}
            <Button type="submit" variant="secondary">
              {t.send}
            </Button>
          </form>
          {answer ? <AnswerView answer={answer} /> : null}
        </Tabs>
      </div>
    </Card>
  );
}
