/**
 * Errors that the browser finds in the `input` elements of a form, by field name. A missing value,
 * a malformed e-mail address and a text that is too short have texts of the panel; other errors
 * have the text of the browser. Empty if there are none.
 */
export function missingOrMalformed(form: HTMLFormElement): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && !element.validity.valid) errors[element.name] = textFor(element);
  }
  return errors;
}

function textFor({ validity, type, minLength, dataset, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return dataset['missing'] ?? 'This field is required.';
  if (validity.typeMismatch && type === 'email') return 'Enter an e-mail address such as ada@example.com.';
  if (validity.tooShort) return `Use at least ${minLength} characters.`;
  return validationMessage;
}
