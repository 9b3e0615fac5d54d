/**
 * The common parts of all readers of Parquet files, without parquet-java (docs/decisions.md gives
 * the reasons).
 *
 * <p>{@link org.saevhadoop.format.parquet.file.ThriftStruct} reads the metadata of a file and the
 * headers of its pages, {@link org.saevhadoop.format.parquet.file.PageCodec} decompresses pages,
 * and {@link org.saevhadoop.format.parquet.file.RunLengthDecoder} decodes levels and dictionary
 * indices. {@link org.saevhadoop.format.parquet.file.ByteWindows} combines small reads.
 *
 * <p>Guarantees: memory is allocated for the data present, not for the sizes that the data claim,
 * and is first charged to a {@link org.saevhadoop.format.parquet.file.MemoryAccount}. Limits are
 * listed in {@link org.saevhadoop.format.parquet.file.ParquetLimits}.
 *
 * <p>Sources: "Parquet" in the comments refers to the specification, <a
 * href="https://github.com/apache/parquet-format">apache/parquet-format</a>, whose field and enum
 * numbers are used in the code.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.file;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
