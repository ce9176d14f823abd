/** Small answers of each provider with every kind of value that a result can hold. */

export const geminiResponse = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Naïve 😀 words. More — words.' }] },
      finishReason: 'STOP',
      groundingMetadata: {
        webSearchQueries: ['q'],
        groundingChunks: [
          { web: { uri: 'https://a.example/1', title: 'Réact 😀', domain: 'a.example' } },
          { web: { uri: 'https://a.example/2', title: 'Plain' } },
          { retrievedContext: { uri: 'gs://b/c', title: 'Doc', text: 'quoted' } },
          { web: { uri: 'https://a.example/1/' } },
        ],
        groundingSupports: [
          {
            segment: { endIndex: 18, text: 'Naïve 😀 words.' },
            groundingChunkIndices: [0, 2],
            confidenceScores: [0.25, 0.5],
          },
          { segment: { startIndex: 19, endIndex: 32 }, groundingChunkIndices: [1, 9] },
        ],
      },
    },
  ],
  modelVersion: 'gemini-2.5-pro',
}

export const openaiResponse = {
  id: 'resp_1',
  object: 'response',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'See (a.example) and a file.',
          annotations: [
            {
              type: 'url_citation',
              url: 'https://a.example/',
              title: '漢字',
              start_index: 4,
              end_index: 15,
            },
            { type: 'file_citation', file_id: 'file-1', filename: 'a.txt', index: 20 },
            {
              type: 'container_file_citation',
              file_id: 'f',
              container_id: 'c',
              filename: 'b',
              start_index: 1,
              end_index: 2,
            },
            { type: 'file_path', file_id: 'file-2', index: 3 },
          ],
        },
      ],
    },
  ],
}

const cited = (type: string, place: object) => ({
  type: 'text',
  text: `Of ${type}. `,
  citations: [{ type, cited_text: 'words 😀', document_title: 'Title', ...place }],
})

export const anthropicMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-4-6',
  content: [
    cited('char_location', { document_index: 0, start_char_index: 1, end_char_index: 9 }),
    cited('page_location', { document_index: 1, start_page_number: 2, end_page_number: 4 }),
    cited('content_block_location', {
      document_index: 2,
      start_block_index: 0,
      end_block_index: 1,
    }),
    cited('search_result_location', {
      search_result_index: 0,
      source: 'https://s.example/',
      title: 'S',
      start_block_index: 0,
      end_block_index: 1,
    }),
    cited('web_search_result_location', {
      url: 'https://w.example/',
      title: 'W',
      encrypted_index: 'abc',
    }),
  ],
}
