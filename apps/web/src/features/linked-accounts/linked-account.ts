/** The kind of submission under which unanswered requests to link an account are kept. */
export const LINKED_ACCOUNT = 'linked-account';
