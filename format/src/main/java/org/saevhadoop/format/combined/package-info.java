/**
 * Several datasets combined into one: the sources contribute either examples with the same columns
 * or columns for the same examples. Start with {@link org.saevhadoop.format.combined.Combination},
 * which decides how the sources fit together, lists all conflicts, and returns the combined
 * dataset.
 *
 * <p>The combined dataset reads the files of its sources. If examples are appended, the combined
 * dataset has the shards of all sources, in the order of the sources, and its layers are in the
 * order of the first source. If columns are joined, each shard of the combined dataset is a maximal
 * range of examples that lies within one file of every source. Cursors, splits, projections, jobs
 * and readers therefore do not need to know that there are several sources, and a projection of one
 * layer opens only the files of its source.
 *
 * <ul>
 *   <li>The way to combine datasets is never ambiguous. Appended examples must have the same
 *       columns, and joined columns must differ: two layers are the same if they have the same
 *       number, and other columns are the same if they have the same name. Choosing how to combine
 *       the datasets only determines what is reported as a conflict.
 *   <li>Columns whose types differ are read in the smallest type that represents all values exactly
 *       (see {@code WidestType}). Blocks that have a different type, or gaps between tokens, are
 *       converted while they are read, from any position and in bounded memory (see {@code
 *       AlignedInput}).
 *   <li>Whether token 0 is [CLS] is known only if it is known for all sources.
 *   <li>Labels, per-token integers and sample metadata of appended examples are kept if all sources
 *       have them in the same form; otherwise, a warning names a source that lacks them. If columns
 *       are joined, this data comes from the first source that has it.
 *   <li>If any source has ids, example numbers serve as ids in sources without ids. If no source
 *       has ids, the examples are renumbered.
 * </ul>
 *
 * <p>Sources are opened only when they are read, and at most 16 of them remain open. The necessary
 * facts about sources that are not open, such as the names and lengths of files, are in {@link
 * org.saevhadoop.format.combined.SourceFacts}.
 */
@Internal
@NullMarked
package org.saevhadoop.format.combined;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
