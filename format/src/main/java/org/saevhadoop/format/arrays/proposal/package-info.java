/**
 * Proposals for reading array files as a dataset when options are required: the alternatives, each
 * with its options, and the open questions.
 *
 * <p>{@link org.saevhadoop.format.arrays.proposal.ArrayProposals} reads the headers of all files
 * once, or of a sample if there are many, derives candidates from the names of files ({@code
 * FilePatterns}) and from the names and shapes of arrays ({@code TensorChoices}), and opens the
 * sample with each candidate. An {@link org.saevhadoop.format.arrays.proposal.ArrayProposal} is a
 * candidate that could be opened.
 *
 * <p>Guarantees: the options of an {@code ArrayProposal} open the files whose headers were read. No
 * elements are read. Each choice that the user must make is on a separate line, which names the
 * option.
 *
 * <p>Source: {@code pipeline/vault/hook_uploader.py} of activault, commit bd97d2fc ({@code
 * _filename}, {@code _get_metadata}, which does not name the model). The layouts of other programs
 * were not compared with their sources.
 */
@NullMarked
package org.saevhadoop.format.arrays.proposal;

import org.jspecify.annotations.NullMarked;
