/** The address of the device that reaches this one, or that this one is a part of. It need not be known. */
export const DEVICE_PARENT = `
ALTER TABLE device ADD COLUMN parent_external_id TEXT;
`;
