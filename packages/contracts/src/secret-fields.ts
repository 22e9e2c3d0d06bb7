/** Fields that hold a PIN, or what a PIN could be guessed from. Logs and the audit trail mask them. */
export const SECRET_FIELDS = ['pin', 'currentPin', 'newPin', 'seal'];
