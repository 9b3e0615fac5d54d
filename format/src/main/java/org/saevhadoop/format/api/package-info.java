/**
 * Marks of the types on which users may rely. docs/api.md explains the promise and lists the types.
 *
 * <ul>
 *   <li>A type with {@link org.saevhadoop.format.api.PublicApi} is part of the API.
 *   <li>A member of such a type with {@link org.saevhadoop.format.api.Internal} is not, and neither
 *       is any type of a package with that mark.
 *   <li>A package without a mark of its own has types of both kinds, or is the interface for
 *       further formats.
 * </ul>
 *
 * <p>The marks are kept in the class files, where the tests {@code ApiTypesTest} and {@code
 * ApiSignaturesTest} and the tool japicmp (profile {@code api}) read them. The Javadoc of the API
 * has the marked types only; a member with {@code Internal} also needs the tag {@code @hidden}.
 */
@NullMarked
package org.saevhadoop.format.api;

import org.jspecify.annotations.NullMarked;
