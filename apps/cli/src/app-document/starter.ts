/** Derives a valid app id from the name of a folder. */
export function appIdOf(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
  return id.length >= 2 ? id : 'my-app';
}

/** Makes a display name from an app id: `my-notes` becomes `My Notes`. */
export const nameOf = (appId: string): string =>
  appId
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** A small document that can be deployed without changes. */
export const starterDocument = (appId: string, platformUrl: string): object => ({
  $schema: `${platformUrl}/v1/schemas/app-document.json`,
  app_id: appId,
  version: '0.1.0',
  name: nameOf(appId),
  description: 'Keeps notes for the people who install it.',
  steps: [
    {
      id: 'add',
      kind: 'function',
      action: 'add_note',
      params: {
        description: 'Stores a note. list_notes returns it.',
        params_schema: {
          type: 'object',
          properties: { text: { type: 'string', description: 'Text of the note.', minLength: 1, maxLength: 500 } },
          required: ['text'],
          additionalProperties: false,
        },
        steps: [
          {
            id: 'note',
            kind: 'store',
            action: 'create',
            params: { kind: 'notes', data: { text: '{{ args.text }}', at: '{{ now }}' } },
          },
          {
            id: 'done',
            kind: 'control',
            action: 'return',
            params: { data: '{{ steps.note }}', summary: 'Noted: {{ args.text }}' },
          },
        ],
      },
    },
    {
      id: 'list',
      kind: 'function',
      action: 'list_notes',
      params: {
        description: 'Lists the notes, newest first.',
        params_schema: { type: 'object', additionalProperties: false },
        steps: [
          { id: 'found', kind: 'store', action: 'list', params: { kind: 'notes', order_by: '-at', limit: 50 } },
          {
            id: 'done',
            kind: 'control',
            action: 'return',
            params: { data: '{{ steps.found.docs }}', summary: 'Notes: {{ steps.found.count }}' },
          },
        ],
      },
    },
  ],
});
