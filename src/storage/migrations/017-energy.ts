/** Energy has its settings in one row, the amounts and costs of each hour, and the prices that scripts sent. */
export const ENERGY = `
CREATE TABLE energy_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE energy_hour (
  at_ms INTEGER PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE energy_price (
  tariff TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL,
  price REAL NOT NULL,
  PRIMARY KEY (tariff, from_ms)
) STRICT;
`;
