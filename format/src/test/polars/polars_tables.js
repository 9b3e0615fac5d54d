// node polars.js FOLDER, with nodejs-polars 0.26.1: the tables of fixtures/arrays/polars
const pl = require('nodejs-polars');
const folder = process.argv[2];
const rows = 300, dim = 8;
const x = [], ids = [];
for (let row = 0; row < rows; row++) {
  x.push(Array.from({length: dim}, (_, i) => (row * dim + i) / 4));
  ids.push(row % 7);
}
const table = pl.DataFrame({
  label: pl.Series('label', ids, pl.Int32),
  x: pl.Series('x', x, pl.List(pl.Float32)),
});
table.writeIPC(folder + '/none.arrow', {compression: 'uncompressed'});
table.writeIPC(folder + '/lz4.arrow', {compression: 'lz4'});
table.writeIPC(folder + '/zstd.arrow', {compression: 'zstd'});
table.writeParquet(folder + '/zstd.parquet', {compression: 'zstd'});
